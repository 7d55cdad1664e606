import type { Lists } from "@maturity/client";
import { GoalText } from "../campaigns/goal-text.tsx";
import { countingOf, shareOf, toLineText } from "../campaigns/words.ts";
import { count, dayOf } from "../format.ts";
import { hrefOf } from "../place.ts";

/** The most goals that are named. */
const mostShown = 4;

/** By when campaigns want what, and whether that is on its way. */
export function Goals({
  campaigns,
  env,
}: {
  readonly campaigns: readonly Lists["/campaigns"][];
  readonly env: string;
}) {
  const running = campaigns.filter(({ state, progress }) => state === "running" && countingOf(progress) > 0);
  if (running.length === 0) return null;
  return (
    <ul class="goals" aria-label="Goals">
      {running.slice(0, mostShown).map(({ id, name, goal, due, progress, line }) => {
        const share = shareOf(progress);
        const way = line === null || share === undefined ? undefined : toLineText(share, line);
        return (
          <li key={id}>
            Goal by <time dateTime={due}>{dayOf(due)}</time>:{" "}
            <a href={hrefOf({ view: "campaign", env, campaign: id })}>
              <bdi>{name}</bdi>
            </a>
            , <GoalText of={goal} />; {count(progress.met)} of {count(countingOf(progress))} meet it
            {way !== undefined && (
              <>
                , <b class={way.endsWith("behind") ? "down" : undefined}>{way}</b> by the straight line
              </>
            )}
            .
          </li>
        );
      })}
      {running.length > mostShown && (
        <li>
          <a href={hrefOf({ view: "campaigns", env })}>{count(running.length - mostShown)} more</a>
        </li>
      )}
    </ul>
  );
}
