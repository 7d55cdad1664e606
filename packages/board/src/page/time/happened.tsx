import { count, dayOf } from "../format.ts";
import type { Mark } from "../parts/chart.tsx";
import { hrefOf } from "../place.ts";

/** The most marks that are named. */
const mostNamed = 2;

/** The latest marks of rules, moves and retirements in words, each with the way to what moved then. */
export function Happened({
  marks,
  of: { area, team, env },
}: {
  readonly marks: readonly Mark[];
  readonly of: { readonly area?: string | undefined; readonly team?: string | undefined; readonly env: string };
}) {
  const latest = marks.toSorted((a, b) => b.day.localeCompare(a.day));
  if (latest.length === 0) return null;
  return (
    <ul class="goals" aria-label="What else happened">
      {latest.slice(0, mostNamed).map(({ day, text }) => (
        <li key={`${day} ${text}`}>
          <time dateTime={day}>{dayOf(day)}</time>: <bdi>{text}</bdi>
          <span class="on-screen">
            ; <a href={hrefOf({ view: "changes", env, area, team, since: day })}>what changed since</a>
          </span>
        </li>
      ))}
      {latest.length > mostNamed && (
        <li class="on-screen">
          <a href={hrefOf({ view: "happened", env, area, team, since: latest.at(-1)?.day })}>
            {count(latest.length - mostNamed)} more
          </a>
        </li>
      )}
    </ul>
  );
}
