import { useReading } from "../data/reading.ts";
import { Toggles } from "../parts/heading.tsx";
import { place } from "../place.ts";

/**
 * Below which level the applications of a list shall be, with how many are. Nothing where there are no levels.
 *
 * @param beside whether the levels themselves stand beside it: below the lowest are those without one
 * @param isCounted whether the list has all applications
 */
export function BelowLevels({
  env,
  beside = false,
  isCounted = true,
}: {
  readonly env: string;
  readonly beside?: boolean;
  readonly isCounted?: boolean;
}) {
  const { area, team } = place.value;
  const levels = useReading("/levels", { env, area, team })?.answer.value?.items ?? [];
  const named = levels.flatMap(({ rank, name, below }) =>
    name === null || (beside && rank === 1) ? [] : [[name, below] as const],
  );
  return (
    <Toggles
      name="reach"
      values={named.map(([name]) => name)}
      say={(name) => `below ${name}`}
      {...(isCounted && { of: new Map(named) })}
    />
  );
}
