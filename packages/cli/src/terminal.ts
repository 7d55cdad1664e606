const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text from outside on one line of a terminal or a log: what could move the cursor, turn the reading direction or begin
 * a new line is shown as `\u{1b}`, and what a CI would take for a command to itself (`::`, `##vso[…]`) is broken up.
 */
export function printable(text: string): string {
  return text
    .replace(unsafe, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(/##(?=\w*\[)/g, "# #")
    .replace(/^(\s*):(?=:)/, "$1: ");
}

/** JSON that is as safe to show: escapes stand for the same characters. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    })
    .replaceAll("##", "\\u0023#");
}
