import { endOfString, parsed } from "./json.ts";

/** Most characters that are examined. Settings that people write are far shorter. */
const longest = 1_048_576;

/**
 * Whether a text is JSON but for comments, and for commas before closing brackets. Compilers and editors take their
 * settings so, such as `tsconfig.json`.
 */
export function isCommentedJson(text: string): boolean {
  if (text.length > longest || !/^\s*[/{[]/.test(text)) return false;
  const plain = withoutComments(text);
  return plain !== text && parsed(plain) !== undefined;
}

function withoutComments(text: string): string {
  let plain = "";
  /** Where the last comma stands, as long as nothing but blanks and comments follow it. */
  let comma: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const end = char === "/" ? endOfComment(text, at) : undefined;
    if (end !== undefined) {
      at = end - 1;
      continue;
    }
    if ((char === "}" || char === "]") && comma !== undefined) plain = plain.slice(0, comma) + plain.slice(comma + 1);
    if (char === ",") comma = plain.length;
    else if (char.trim() !== "") comma = undefined;
    const last = char === '"' ? (endOfString(text, at) ?? text.length) : at;
    plain += text.slice(at, last + 1);
    at = last;
  }
  return plain;
}

/** The index behind a comment that begins at an index. Undefined if none begins there. */
function endOfComment(text: string, start: number): number | undefined {
  const isBlock = text.startsWith("/*", start);
  if (!isBlock && !text.startsWith("//", start)) return undefined;
  const end = text.indexOf(isBlock ? "*/" : "\n", start + 2);
  if (end === -1) return text.length;
  return isBlock ? end + 2 : end;
}
