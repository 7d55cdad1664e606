import { printable } from "@maturity/command-line/terminal";

/** The longest text of others in a summary, in characters. */
const maxText = 500;

/**
 * A text of others as Markdown that shows it letter for letter: a code span, in which nothing is markup, a mention or a
 * link. Also good in a cell of a table.
 */
export function code(text: string): string {
  const shown = shortened(printable(text)).replace(/\s/gu, " ");
  // A table is cut into cells before its spans are read, and a backslash before the bar may be one of the text.
  if (shown.includes("|")) return `<code>${shown.replace(/[!-/:-@[-`{-~]/g, entity)}</code>`;
  const fence = "`".repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)));
  const pad = /^[` ]|[` ]$/.test(shown) || shown === "" ? " " : "";
  return fence + pad + shown + pad + fence;
}

function entity(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

/** What a page would make a link of although it is a plain word: an address, a commit, an issue, a milestone of GitLab. */
const linked = /www\.|xmpp|\bGH-\d|%\w|\b[0-9a-f]{7,64}\b/i;

/** A sentence of others: as it is if it holds nothing that Markdown could read otherwise, and else as `code`. */
export function sentence(text: string): string {
  const isPlain = /^\p{L}[\p{L}\p{N} ,;%×→'’.+-]*$/u.test(text.replace(/^\p{N}+(?= )/u, "n"));
  return isPlain && text.length <= maxText && !linked.test(text) ? text : code(text);
}

/** A link. An address that `URL` made holds nothing that ends it, but for these. */
export function link(text: string, address: string): string {
  const safe = address.replace(
    /[<>()|\\`\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return `[${text}](<${safe}>)`;
}

function shortened(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
