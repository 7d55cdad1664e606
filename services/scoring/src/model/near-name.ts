import { nearName } from "@maturity/yaml/mapping";

export { mapping, nearName } from "@maturity/yaml/mapping";

/** For how many names of a request the nearest one is looked up. A wrong name is often sent with each result. */
export const maxNear = 5;

/** How many names an error message lists. */
const maxListed = 5;

/**
 * The end of an error message about a name that none of these is: the nearest of them, such as `; did you mean "checkout"?`, or
 * else the first ones. Empty if there are none.
 */
export function insteadOf(name: string, names: readonly string[]): string {
  const near = nearName(name, names);
  if (near !== undefined) return `; did you mean ${JSON.stringify(near)}?`;
  const listed = names.slice(0, maxListed).map((one) => JSON.stringify(one));
  const more = names.length - listed.length;
  return listed.length === 0
    ? ""
    : `; there ${names.length === 1 ? "is" : "are"} ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
