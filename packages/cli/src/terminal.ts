import { bytesOf } from "./path-bytes.ts";

/**
 * What must not reach a terminal as it is: control and format characters, what has no character, and what is shown as
 * nothing.
 */
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/v;
/** The same, but for parts of emoji. To compile it takes longer than most commands. */
const emojiOrUnsafe = /\p{RGI_Emoji}|[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gv;

/**
 * A text from outside on one line of a terminal or a log: what could move the cursor, turn the reading direction, begin
 * a new line or hide is shown as `\u{1b}`, a byte of a name that is no UTF-8 as `\xff`, and what a CI would take for a
 * command to itself (`::`, `##vso[…]`) is broken up.
 */
export function printable(text: string): string {
  return replaceUnsafe(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xdc80 && code <= 0xdcff ? `\\x${(code - 0xdc00).toString(16)}` : `\\u{${code.toString(16)}}`;
  })
    .replace(/##(?=\w*\[)/g, "# #")
    .replace(/^(\s*):(?=:)/, "$1: ");
}

/** A text of several lines of which each is safe to show. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** JSON that is as safe to show: escapes stand for the same characters. */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split("\n");
  const escaped = lines.map((line) =>
    replaceUnsafe(line, (character) =>
      character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  );
  return escaped.join("\n").replaceAll("##", "\\u0023#");
}

/**
 * A word as a shell takes it, safe to show. What a terminal must not get stands as octal bytes in `$'…'`, as `printf %q`
 * writes it: bash, zsh and ksh take that.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  if (printable(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word.replace(/[\\']/g, "\\$&").replaceAll("##", "\\043#");
  const bytes = (character: string) => [...bytesOf(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return `$'${replaceUnsafe(escaped, (character) => bytes(character).join(""))}'`;
}

function replaceUnsafe(text: string, replace: (character: string) => string): string {
  if (!unsafe.test(text)) return text;
  return text.replace(emojiOrUnsafe, (found) => (isEmoji(found) ? found : replace(found)));
}

/** Parts of emoji that are unsafe never stand first. */
function isEmoji(found: string): boolean {
  return !unsafe.test(String.fromCodePoint(found.codePointAt(0) ?? 0));
}
