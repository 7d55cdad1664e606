import type { Lists } from "@maturity/client";
import { useEffect, useRef } from "preact/hooks";
import { type Answer, type Asked, useReading } from "../data/reading.ts";
import { count, stepOf } from "../format.ts";
import { change, place } from "../place.ts";

const steps = [0, 1, 2, 3, 4] as const;

/** Where a step ends, and `undefined` for the last one: 19.5 is written 20. */
function endOf(step: (typeof steps)[number]): number | undefined {
  return step === 4 ? undefined : step * 20 + 19.5;
}

/** The states in which a score counts. */
const counting = ["fresh", "late", "stale"];

type Scores = Answer<Lists["/scores"]>;

/**
 * How many applications have which step of the metric, of those whose score counts. Where the list does not hold them all, the service counts them, after
 * the list and whenever that has changed.
 */
export function Spread({ query, scores }: { readonly query: Asked<"/scores">; readonly scores: Scores | undefined }) {
  const isWhole = scores !== undefined && scores.items.length === scores.total && place.value.below === undefined;
  const version = isWhole || scores?.isGrowing ? undefined : scores;
  const below = steps.map((step) => useTotal(query, endOf(step), version));
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
        const upper = endOf(step)?.toString();
        const isChosen = upper !== undefined && chosen === upper;
        return (
          <li key={step}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => change({ below: isChosen ? undefined : upper }, { replace: true })}
              title={upper === undefined ? "Show all" : `Show those below ${upper}`}
            >
              <b>{count(counts[step] ?? 0)}</b>
              <span class={`column s${step}`} style={{ height: `${((counts[step] ?? 0) / most) * 64}px` }} />
              <span>{upper === undefined ? "80–100" : `${step * 20}–${step * 20 + 19}`}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function countsOf({ items }: Scores): number[] {
  const counts = steps.map(() => 0);
  for (const { score, waived, exempt_because } of items) {
    if (waived || exempt_because) continue;
    const step = stepOf(score);
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
  const asked = version && { ...query, waived: false, state: counting, below, limit: 1 };
  const reading = useReading("/scores", asked, { upTo: 1, refreshed: false });
  useEffect(() => void reading?.refresh(), [reading, version]);
  return reading?.answer.value?.total;
}
