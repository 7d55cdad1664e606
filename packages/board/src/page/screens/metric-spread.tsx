import { useEffect } from "preact/hooks";
import { useReading } from "../data/reading.ts";
import { count } from "../format.ts";
import { change, place } from "../place.ts";

const steps = [0, 1, 2, 3, 4] as const;

/**
 * How many applications have which step of the metric, counted by the service.
 *
 * @param version another one when the scores have changed: only then they are counted again
 */
export function Spread({
  query,
  version,
}: {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly version: unknown;
}) {
  const below = steps.map((step) => useTotal(query, step === 4 ? undefined : step * 20 + 20, version));
  if (below.some((total) => total === undefined)) return <div class="spread" />;
  const counts = steps.map((step) => (below[step] ?? 0) - (below[step - 1] ?? 0));
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

function useTotal(query: object, below: number | undefined, version: unknown): number | undefined {
  // One item is the least that a list may have; only its total is wanted.
  const reading = useReading("/scores", { ...query, below, limit: 1 }, { upTo: 1, refreshed: false });
  useEffect(() => void reading?.refresh(), [reading, version]);
  return reading?.answer.value?.total;
}
