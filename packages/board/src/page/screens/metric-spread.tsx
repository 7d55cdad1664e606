import { useReading } from "../data/reading.ts";
import { count } from "../format.ts";
import { change, place } from "../place.ts";

const steps = [0, 1, 2, 3, 4] as const;

/** How many applications have which step of the metric, counted by the service. */
export function Spread({ query }: { readonly query: Readonly<Record<string, string | undefined>> }) {
  // One item is the least that a list may have; only its total is wanted.
  const totalBelow = (below: number | undefined) =>
    useReading("/scores", { ...query, below, limit: 1 }, { upTo: 1 })?.answer.value?.total;
  const below = [totalBelow(20), totalBelow(40), totalBelow(60), totalBelow(80), totalBelow(undefined)];
  const counts = steps.map((step) => (below[step] ?? 0) - (below[step - 1] ?? 0));
  if (below.some((total) => total === undefined)) return <div class="spread" />;
  const most = Math.max(...counts, 1);
  const chosen = place.value.below;
  return (
    <ul class="spread" aria-label="The spread of the scores">
      {steps.map((step) => {
        const upper = String(step * 20 + 20);
        const isAll = step === 4;
        return (
          <li key={step}>
            <button
              type="button"
              aria-pressed={!isAll && chosen === upper}
              onClick={() =>
                change({ below: isAll || chosen === upper ? undefined : upper, sort: undefined }, { replace: true })
              }
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
