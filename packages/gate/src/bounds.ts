import type { Caller } from "@maturity/client";

const fields = ["area", "team", "app"] as const;

type Field = (typeof fields)[number];

/** A name of a target that is outside all bounds, and the names that the bounds allow instead. */
export interface Beyond {
  readonly field: Field;
  readonly name: string;
  readonly allowed: string;
}

/** The first name of a target that no grant reaches; undefined if some grant may reach the target. */
export function nameBeyond(
  grants: Caller["grants"],
  target: { readonly [Name in Field]?: string | undefined },
): Beyond | undefined {
  let left = grants.map(({ bounds }) => bounds);
  for (const field of fields) {
    const name = target[field];
    if (name === undefined) continue;
    const inside = left.filter((bounds) => bounds[field] === undefined || bounds[field] === name);
    if (inside.length === 0) {
      return { field, name, allowed: [...new Set(left.map((bounds) => bounds[field]))].sort().join(" or ") };
    }
    left = inside;
  }
  return undefined;
}
