const mask = "***";

/**
 * Token formats with a prefix of their own, as their issuers document them: AWS key ids, GitHub, GitLab, Slack, Stripe and
 * Google keys, JSON web tokens, PEM private keys, and the user part of a URL.
 */
const tokens: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[opsur]_[A-Za-z0-9]{36,}/g,
  /\bgithub_pat_\w{22,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]*-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
];

/**
 * A text without the secrets in it; "" when the value is no text.
 *
 * @param secrets texts that are, or hold, the secret, such as the line of code it stands in
 * @param minimum a secret shorter than this is left, since it would mask common words
 */
export function masked(value: unknown, secrets: readonly unknown[], minimum: number): string {
  if (typeof value !== "string") return "";
  let text = value;
  for (const secret of secrets) {
    if (typeof secret !== "string") continue;
    for (const part of partsOf(secret)) if (part.length >= minimum) text = text.replaceAll(part, mask);
  }
  for (const token of tokens) text = text.replace(token, mask);
  return text;
}

/** Every line, then every word that is no common one: the secret may stand in code, and the text repeat only the secret. */
function partsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const words = secret
    .split(/[\s"'`,;:=<>(){}[\]]+/)
    .filter((word) => word.length >= 20 || /^(?=.*\d).{8,}$/.test(word));
  return [...lines, ...words];
}

/** A text of at most so many characters without control characters and lone surrogates, trimmed. */
export function printable(text: string, maximum: number): string {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  return (clean.length > maximum ? `${clean.slice(0, maximum - 1)}…` : clean).toWellFormed();
}
