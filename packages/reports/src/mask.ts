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

/** Most characters of a secret text that are examined. */
const longestSecret = 65_536;

/**
 * The beginning of a text, in which secrets are masked. Empty if the value is no text. The time that this takes is
 * bounded, even if a hostile report has very long texts.
 *
 * @param secrets texts that are secrets or contain them, such as the line of code with the secret
 * @param minimum parts of secrets that are shorter than this are not masked, because they may be common words
 * @param maximum characters of the text to show; the result has one more if the text is longer
 */
export function masked(value: unknown, secrets: readonly unknown[], minimum: number, maximum: number): string {
  if (typeof value !== "string") return "";
  const text = value.slice(0, maximum + longestPart);
  const parts = secrets.flatMap((secret) => (typeof secret === "string" ? partsOf(secret) : []));
  const hidden = [
    ...parts.filter((part) => part.length >= minimum).flatMap((part) => placesOf(text, part)),
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

/**
 * The lines and the unusual words of a secret text. The text may be a line of code, and the message may repeat only the
 * secret in it.
 */
function partsOf(secret: string): string[] {
  const looked = secret.slice(0, longestSecret);
  const lines = looked.split("\n").map((line) => line.trim());
  const words = looked
    .split(/[\s"'`,;:=<>(){}[\]]+/)
    .filter((word) => word.length >= 20 || (word.length >= 8 && /\d/.test(word)));
  return [...new Set([...lines, ...words])].filter(Boolean).map((part) => part.slice(0, longestPart));
}

/** A trimmed text of at most `maximum` characters, without control characters and lone surrogates. */
export function printable(text: string, maximum: number): string {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return (clean.length > maximum ? `${clean.slice(0, maximum - 1)}…` : clean).toWellFormed();
}
