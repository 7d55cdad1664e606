import { analyse } from "scslre";

type Pattern = ReturnType<typeof analyse>["parsed"]["pattern"];
type Alternative = Pattern["alternatives"][number];
type Element = Alternative["elements"][number];

/** Is there a text for which a pattern takes more than linear time, as far as its structure shows? */
export function isSlow(regExp: RegExp): boolean {
  const { reports, parsed } = analyse(regExp);
  if (reports.length > 0) return true;
  return !regExp.sticky && parsed.pattern.alternatives.some((one) => startsAgain(one, [], false, regExp.flags));
}

/**
 * Is there a repetition that takes in the beginning of the pattern, and then something that may be missing? Then a text that
 * is the beginning over and over is read to its end from each of them: `<!--<!--<!--…` by `/<!--[\s\S]*?-->/`. scslre sees it
 * where the beginning is one class of characters.
 *
 * @param before what stands before, in the groups around it
 * @param needed whether something that may be missing follows in the groups around it
 */
function startsAgain({ elements }: Alternative, before: readonly Element[], needed: boolean, flags: string): boolean {
  return elements.some((element, index) => {
    const prefix = [...before, ...elements.slice(0, index)];
    if (prefix.some((one) => one.type === "Assertion" && one.kind === "start" && !flags.includes("m"))) return false;
    const followed = needed || elements.slice(index + 1).some(mayBeMissing);
    const inner = element.type === "Quantifier" ? element.element : element;
    if (element.type === "Quantifier" && element.max === Number.POSITIVE_INFINITY && followed) {
      if (prefix.every((one) => overlap(one, inner, flags))) return true;
    }
    if (inner.type !== "Group" && inner.type !== "CapturingGroup") return false;
    return inner.alternatives.some((one) => startsAgain(one, prefix, followed, flags));
  });
}

function mayBeMissing(element: Element): boolean {
  if (element.type === "Quantifier") return element.min > 0 && mayBeMissing(element.element);
  if (element.type === "Group" || element.type === "CapturingGroup") {
    return element.alternatives.every(({ elements }) => elements.some(mayBeMissing));
  }
  return true;
}

const characters = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code));

/** Is there a character that both fit? What is more than one character, or none, is taken to. */
function overlap(one: Element, other: Element, flags: string): boolean {
  const [left, right] = [one, other].map((element) => (element.type === "Quantifier" ? element.element : element));
  if (!left || !right || !isCharacter(left) || !isCharacter(right)) return true;
  const [fitsLeft, fitsRight] = [left, right].map(({ raw }) => new RegExp(`^(?:${raw})$`, flags.replace(/[gmy]/g, "")));
  return characters.some((character) => fitsLeft?.test(character) && fitsRight?.test(character));
}

function isCharacter({ type }: Element): boolean {
  return type === "Character" || type === "CharacterSet" || type === "CharacterClass";
}
