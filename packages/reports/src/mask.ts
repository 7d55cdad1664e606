const mask = "***";

/**
 * Token formats with a prefix of their own, as their issuers document them: AWS key ids, GitHub, GitLab, Slack, Stripe and
 * Google keys, JSON web tokens, PEM private keys, and the user part of a URL. What may be long is matched from its beginning
 * on, whether or not its end is in sight: then a text that is cut shows no half of it, and no match is begun in vain.
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

/** Characters of a secret that are looked for: more than are ever shown of a text. */
const longestPart = 4_096;

/** Characters of a text that may hold a secret; what stands behind them is not looked for. */
const longestSecret = 65_536;

/**
 * The beginning of a text without the secrets in it; "" when the value is no text. What a hostile report makes long costs
 * no more than what is shown.
 *
 * @param secrets texts that are, or hold, the secret, such as the line of code it stands in
 * @param minimum a secret shorter than this is left, since it would mask common words
 * @param maximum how many characters of the text are shown; one more tells that there are more
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

/** Where something stands in a text. */
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

/** Every line, then every word that is no common one: the secret may stand in code, and the text repeat only the secret. */
function partsOf(secret: string): string[] {
  const looked = secret.slice(0, longestSecret);
  const lines = looked.split("\n").map((line) => line.trim());
  const words = looked
    .split(/[\s"'`,;:=<>(){}[\]]+/)
    .filter((word) => word.length >= 20 || (word.length >= 8 && /\d/.test(word)));
  return [...new Set([...lines, ...words])].filter(Boolean).map((part) => part.slice(0, longestPart));
}

/** A text of at most so many characters without control characters and lone surrogates, trimmed. */
export function printable(text: string, maximum: number): string {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return (clean.length > maximum ? `${clean.slice(0, maximum - 1)}…` : clean).toWellFormed();
}
