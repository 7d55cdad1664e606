import type { App, Team } from "@maturity/client";
import { count as written } from "../format.ts";
import { None } from "./score.tsx";

export type AppLevel = NonNullable<App["level"]>;
export type LevelCount = Team["levels"][number];

/** How many applications have which level, as a bar: the higher the level, the stronger. */
export function Levels({ levels }: { readonly levels: readonly LevelCount[] }) {
  const all = levels.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return <None />;
  const highest = Math.max(...levels.map(({ rank }) => rank), 3);
  const text = levelsText(levels);
  return (
    <span class="share" title={text}>
      <span class="bar" aria-hidden="true">
        {levels.toReversed().map(({ rank, count }) => (
          <i key={rank} class="level" style={{ width: `${(count / all) * 100}%`, "--rank": rank / highest }} />
        ))}
      </span>
      <span class="sr">{text}</span>
    </span>
  );
}

/** The highest first: `3 gold, 10 silver, 2 without a level`. */
export function levelsText(levels: readonly LevelCount[]): string {
  return levels
    .toReversed()
    .map(({ name, count }) => `${written(count)} ${name ?? "without a level"}`)
    .join(", ");
}
