import { useEffect, useRef } from "preact/hooks";
import type { Lists } from "../data/lists.ts";
import { type Answer, useReading } from "../data/reading.ts";
import { count } from "../format.ts";
import { change, place } from "../place.ts";

const steps = [0, 1, 2, 3, 4] as const;

type Scores = Answer<Lists["/scores"]>;

/**
 * How many applications have which step of the metric, of those whose score counts. Where the list does not hold them all, the service counts them, after
 * the list and whenever that has changed.
 */
export function Spread({
  query,
  scores,
}: {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly scores: Scores | undefined;
}) {
  const isWhole = scores !== undefined && scores.items.length === scores.total && place.value.below === undefined;
  const version = isWhole || scores?.isGrowing ? undefined : scores;
  const below = steps.map((step) => useTotal(query, step === 4 ? undefined : step * 20 + 20, version));
  // What was counted stays until it is counted again, so that a button that was pressed does not vanish.
  const latest = useRef<readonly number[] | undefined>(undefined);
  latest.current = (isWhole ? countsOf(scores) : countsBetween(below)) ?? latest.current;
  const counts = latest.current;
  if (!counts) return <div class="spread" />;
  const most = Math.max(...counts, 1);
  const chosen = place.value.below;
  return (
    <ul class="spread" aria-label="The spread of the scores">
      {steps.map((step) => {
        const upper = String(step * 20 + 20);
        const isAll = step === 4;
        const next = isAll || chosen === upper ? undefined : upper;
        return (
          <li key={step}>
            <button
              type="button"
              aria-pressed={!isAll && chosen === upper}
              onClick={() => change({ below: next }, { replace: true })}
              title={isAll ? "Show all" : `Show those below ${upper}`}
            >
              <b>{count(counts[step] ?? 0)}</b>
              <span class={`column s${step}`} style={{ height: `${((counts[step] ?? 0) / most) * 64}px` }} />
              <span>{isAll ? "80–100" : `${step * 20}–${step * 20 + 19}`}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function countsOf({ items }: Scores): number[] {
  const counts = steps.map(() => 0);
  for (const { score, waived } of items) {
    if (waived) continue;
    const step = Math.min(Math.floor(score / 20), 4);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

/** From how many are below the end of each step. */
function countsBetween(below: readonly (number | undefined)[]): number[] | undefined {
  if (below.includes(undefined)) return undefined;
  return steps.map((step) => (below[step] ?? 0) - (below[step - 1] ?? 0));
}

function useTotal(query: object, below: number | undefined, version: Scores | undefined): number | undefined {
  // One item is the least that a list may have; only its total is wanted.
  const asked = version && { ...query, waived: false, below, limit: 1 };
  const reading = useReading("/scores", asked, { upTo: 1, refreshed: false });
  useEffect(() => void reading?.refresh(), [reading, version]);
  return reading?.answer.value?.total;
}
