import { mediaType } from "@hapi/accept";

/**
 * Which of these media types an `Accept` header prefers: the first one if it has no preference, undefined if it takes
 * none of them.
 */
export function preferredType<Type extends string>(accept = "*/*", types: readonly Type[]): Type | undefined {
  return (mediaType(withoutParameters(accept), [...types]) || undefined) as Type | undefined;
}

/** The header with only the weight of each media range: types are recognised whatever parameters they have. */
function withoutParameters(accept: string): string {
  const ranges = accept.replaceAll(quoted, "").split(",");
  return ranges.map((range) => range.split(";").filter(isTypeOrWeight).join(";")).join(",");
}

/**
 * A quoted text of a parameter, which may hold commas and semicolons. If the quote is not closed, it ends with the
 * header.
 */
const quoted = /"(?:[^"\\]|\\.?)*(?:"|$)/g;

function isTypeOrWeight(part: string, index: number): boolean {
  return index === 0 || /^q=[\d.]+$/i.test(part.replaceAll(/\s/g, ""));
}
