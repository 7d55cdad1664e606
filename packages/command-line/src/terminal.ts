import { bytesOf } from "./path-bytes.ts";

/**
 * Characters that must not reach a terminal as they are: control and format characters, unassigned code points, and
 * characters that are invisible.
 */
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/v;
/**
 * Matches whole emoji first, so that unsafe characters inside an emoji are left alone. It is used only after `unsafe`
 * has matched, because compiling it takes longer than most commands run.
 */
const emojiOrUnsafe = /\p{RGI_Emoji}|[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gv;

/**
 * Makes a text from outside safe for one line of a terminal or a log. Characters that could move the cursor, turn the
 * reading direction, begin a new line or hide are shown as `\u{1b}`. A byte of a name that is no UTF-8 is shown as
 * `\xff`. A blank breaks up what a CI would take for a command to itself (`::`, `##vso[…]`).
 */
export function printable(text: string): string {
  return replaceUnsafe(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xdc80 && code <= 0xdcff ? `\\x${(code - 0xdc00).toString(16)}` : `\\u{${code.toString(16)}}`;
  })
    .replace(/##(?=\w*\[)/g, "# #")
    .replace(/^(\s*):(?=:)/, "$1: ");
}

/** Makes each line of a text safe, and keeps the line breaks. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/**
 * JSON that is safe for a terminal. It uses escapes of JSON, so a reader gets the original characters.
 *
 * @param indent blanks before what is inside of something; 0 for a single line
 */
export function printableJson(value: unknown, indent = 2): string {
  const lines = JSON.stringify(value, undefined, indent).split("\n");
  const escaped = lines.map((line) =>
    replaceUnsafe(line, (character) =>
      character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  );
  return escaped.join("\n").replaceAll("##", "\\u0023#");
}

/**
 * Quotes a word for a shell, so that a user can paste it. Unsafe characters are written as octal bytes in `$'…'`, as
 * `printf %q` does. bash, zsh and ksh understand that.
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

/** Whether `emojiOrUnsafe` has found an emoji. No emoji begins with an unsafe character. */
function isEmoji(found: string): boolean {
  return !unsafe.test(String.fromCodePoint(found.codePointAt(0) ?? 0));
}
