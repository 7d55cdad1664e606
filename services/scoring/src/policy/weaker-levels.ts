import type { Severity } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import type { WrittenLevel } from "./written-level.ts";

/** A condition of a level that asks for less than a level below it. */
export interface WeakerLevel {
  /** Where it stands below the levels, such as `[2, "metrics", "security.sast"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The conditions that ask for less than those of a level before. Levels are cumulative, so such a condition says nothing;
 * most likely the levels stand in the wrong order.
 *
 * @param levels as they are written, faults included
 */
export function findWeakerLevels(levels: readonly Partial<WrittenLevel>[]): WeakerLevel[] {
  const strictest = new Map<string, { strictness: number; of: string; value: unknown }>();
  return levels.flatMap((level, index) =>
    conditionsOf(level).flatMap(({ path, value, strictness }) => {
      const key = JSON.stringify(path);
      const before = strictest.get(key);
      if (!before || strictness >= before.strictness) {
        strictest.set(key, { strictness, of: String(level?.name), value });
        return [];
      }
      const message = `asks for less than ${before.of} (${before.value}), a level before it; levels go from the lowest to the highest`;
      return [{ path: [index, ...path], message }];
    }),
  );
}

interface Condition {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The more, the stricter. */
  readonly strictness: number;
}

function conditionsOf(level: Partial<WrittenLevel>): Condition[] {
  if (typeof level !== "object" || level === null) return [];
  const { min_score, min_fresh, scorecards, metrics, no_open_problems, max_waived } = level;
  const minima = Object.entries({ min_score, min_fresh, scorecards, metrics }).flatMap(([field, value]) =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, minimum]) => ({ path: [field, name], value: minimum, strictness: minimum }))
      : [{ path: [field], value, strictness: value as number }],
  );
  return [
    ...minima,
    {
      path: ["no_open_problems"],
      value: no_open_problems,
      strictness: severities.indexOf(no_open_problems as Severity),
    },
    { path: ["max_waived"], value: max_waived, strictness: -(max_waived as number) },
  ].filter(({ value, strictness }) => value !== undefined && Number.isFinite(strictness));
}
