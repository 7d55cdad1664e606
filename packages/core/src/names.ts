/**
 * What people cannot see: control characters, format characters such as U+200B, characters that are shown as nothing such as
 * U+3164 and U+FE0F, the blank of Braille, and surrogates that stand alone.
 */
const invisible = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800`;
const firstInvisible = new RegExp(`[${invisible}]`, "u");

/** What a name of up to so many characters (code points) matches; it needs the flag `u`. */
export function namePattern(maximum: number): RegExp {
  return new RegExp(`^(?!\\s)[^${invisible}]{1,${maximum}}(?<!\\s)$`, "u");
}

/**
 * Why a text is no name of an area, a team, an application, an environment or a kind of problem, or undefined when it is
 * one: 1 to 200 characters, each of which can be seen, without white space at either end.
 *
 * @param maximum characters (code points); other names may be longer
 */
export function nameFault(text: string, maximum = 200): string | undefined {
  if (namePattern(maximum).test(text)) return undefined;
  // Each character has two units at the most, and of a longer text the length is the fault.
  const hidden = text.length <= 2 * maximum ? firstInvisible.exec(text) : null;
  if (!hidden) return `must be a text of 1 to ${maximum} characters, without white space at either end`;
  const code = hidden[0].codePointAt(0) ?? 0;
  const position = [...text.slice(0, hidden.index)].length + 1;
  return `must not hold U+${code.toString(16).toUpperCase().padStart(4, "0")}, which nobody can see, as character ${position}`;
}
