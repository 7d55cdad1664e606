/**
 * What no name holds. By the categories of Unicode it is not printable: control and format characters, surrogates that stand
 * alone, private use and what no character is assigned to (`C`), separators (`Z`); of letters and marks those that are shown
 * as nothing, such as U+3164 and U+FE0F, and the blank of Braille. U+FFFD stands for bytes that are not UTF-8, so different
 * names would become equal.
 */
const forbidden = String.raw`\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffd`;
const firstForbidden = new RegExp(`(?! )[${forbidden}]`, "u");

const reasons: readonly (readonly [characters: RegExp, reason: string])[] = [
  [/\p{Zs}/u, "a space other than U+0020"],
  [/\ufffd/, "which stands for bytes that are not UTF-8"],
];

/** The pattern of a name of up to this number of characters (code points); it needs the flag `u`. */
export function namePattern(maximum: number): RegExp {
  return new RegExp(`^(?! )(?:[^${forbidden}]| ){1,${maximum}}(?<! )$`, "u");
}

/**
 * Why a text is no name of an area, a team, an application, an environment or a kind of problem, or undefined when it is
 * one: 1 to 200 characters, each of which is printable or the space U+0020, without a space at either end. Printable is what
 * the Unicode of the running program knows as such.
 *
 * @param maximum characters (code points); other names may be longer
 */
export function nameFault(text: string, maximum = 200): string | undefined {
  if (namePattern(maximum).test(text)) return undefined;
  // Each character has two units at the most, and of a longer text the length is the fault.
  const refused = text.length <= 2 * maximum ? firstForbidden.exec(text) : null;
  if (!refused) return `must be a text of 1 to ${maximum} characters, without a space at either end`;
  const code = refused[0].codePointAt(0) ?? 0;
  const reason = reasons.find(([characters]) => characters.test(refused[0]))?.[1] ?? "which is not printable";
  const position = [...text.slice(0, refused.index)].length + 1;
  return `must not hold U+${code.toString(16).toUpperCase().padStart(4, "0")}, ${reason}, as character ${position}`;
}
