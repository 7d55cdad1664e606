const mask = "***";

/**
 * Patterns of tokens that can be recognized by their beginning, as their issuers document them: AWS key ids, GitHub,
 * GitLab, Slack, Stripe and Google keys, JSON web tokens, PEM private keys, and the user part of a URL. The patterns of
 * long tokens do not need the end of the token. So half a token at the end of a text that is cut off is masked too, and
 * matching stays fast.
 */
const tokens: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[opsur]_[A-Za-z0-9]{36,}/g,
  /\bgithub_pat_\w{22,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{10,}(?:\.[\w-]+){0,2}/g,
  /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----[^-]*(?:-----END (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----)?/g,
  /(?<=:\/\/)[^\s/@]{1,500}(?=@)/g,
];

/** Most characters of a part of a secret that are searched for. No shown text is longer. */
const longestPart = 4_096;

/**
 * Most characters to search for the parts of secrets: their number times the length of the text. A line of code of 1 MB
 * stays below it for a text as long as tools write.
 */
const mostSearched = 4_000_000;
/** No text counts as shorter, so that the number of parts is bounded too. */
const shortestText = 256;

/**
 * The beginning of a text, in which secrets are masked. Empty if the value is no text. If the secrets have too many parts
 * to search for, as hostile reports have them, the whole text is masked.
 *
 * @param secrets texts that are secrets or contain them, such as the line of code with the secret
 * @param minimum parts of secrets that are shorter than this are not masked, because they may be common words
 * @param maximum characters of the text to show; the result has one more if the text is longer
 */
export function masked(value: unknown, secrets: readonly unknown[], minimum: number, maximum: number): string {
  if (typeof value !== "string") return "";
  const text = value.slice(0, maximum + longestPart);
  const parts = partsOf(secrets, minimum, mostSearched / Math.max(shortestText, text.length));
  if (!parts) return mask;
  const hidden = [
    ...[...parts].flatMap((part) => placesOf(text, part)),
    ...tokens.flatMap((token) => [...text.matchAll(token)].map(placeOf)),
  ];
  let shown = "";
  let end = 0;
  for (const place of hidden.toSorted((one, other) => one.start - other.start)) {
    if (place.start > maximum) break;
    if (place.start >= end) shown += text.slice(end, place.start) + mask;
    end = Math.max(end, place.end);
  }
  return shown + text.slice(end, Math.max(end, maximum + 1));
}

/** A part of a text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

function placeOf({ index, 0: { length } }: RegExpExecArray): Place {
  return { start: index, end: index + length };
}

function placesOf(text: string, part: string): Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + part.length)) {
    places.push({ start, end: start + part.length });
  }
  return places;
}

/** A word that could be unusual. */
const longWord = /[^\s"'`,;:=<>(){}[\]]{8,4096}/g;

/**
 * The lines and the unusual words of secret texts. A text may be a line of code, and the message may repeat only the
 * secret in it. Undefined if there are more than `maximum`.
 */
function partsOf(secrets: readonly unknown[], minimum: number, maximum: number): ReadonlySet<string> | undefined {
  const parts = new Set<string>();
  for (const line of linesOf(secrets)) {
    // The words of a line that is known are known too, and those of one that is too short are too short.
    if (line.length < minimum || parts.has(line)) continue;
    parts.add(line.slice(0, longestPart));
    for (const [word] of line.matchAll(longWord)) {
      if (word.length >= minimum && (word.length >= 20 || /\d/.test(word))) parts.add(word.slice(0, longestPart));
      if (parts.size > maximum) return undefined;
    }
    if (parts.size > maximum) return undefined;
  }
  return parts;
}

/** The lines of texts, without the blanks around them. */
function* linesOf(texts: readonly unknown[]): Generator<string> {
  for (const text of texts) {
    if (typeof text !== "string") continue;
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline === -1 ? text.length : newline;
      yield text.slice(start, end).trim();
      start = end + 1;
    }
  }
}

/** A trimmed text of at most `maximum` characters, without control characters and lone surrogates. */
export function printable(text: string, maximum: number): string {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return (clean.length > maximum ? `${clean.slice(0, maximum - 1)}…` : clean).toWellFormed();
}
