import { Toggles } from "../parts/heading.tsx";
import type { LevelCount } from "../parts/level.tsx";

/** As the service calls the applications without a level. */
const noLevel = "none";

/**
 * Which level the applications of a list shall have, with how many have it. Nothing where there are no levels.
 *
 * @param groups the areas or teams that the list is of
 * @param isCounted whether the list has all their applications
 */
export function LevelFilter({
  groups,
  isCounted = true,
}: {
  readonly groups: readonly { readonly levels: readonly LevelCount[] }[];
  readonly isCounted?: boolean;
}) {
  const counts = new Map<string, LevelCount>();
  for (const { rank, name, count } of groups.flatMap(({ levels }) => levels)) {
    const key = name ?? noLevel;
    counts.set(key, { rank, name, count: count + (counts.get(key)?.count ?? 0) });
  }
  if (counts.size === 0) return null;
  const highestFirst = [...counts].sort(([, a], [, b]) => b.rank - a.rank);
  return (
    <Toggles
      name="level"
      values={highestFirst.map(([key]) => key)}
      say={(key) => (key === noLevel ? "no level" : key)}
      {...(isCounted && { of: new Map(highestFirst.map(([key, { count }]) => [key, count])) })}
    />
  );
}
