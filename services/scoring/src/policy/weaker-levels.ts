import type { Severity } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import type { SettingFault } from "../model/settings-file.ts";
import type { WrittenLevel } from "./written-level.ts";

/**
 * Finds conditions that are weaker than in a lower level. Levels are cumulative, so a weaker condition has no effect; most
 * likely the levels are in the wrong order.
 *
 * @param file the content of the file, which may have faults
 * @returns the faults, with paths such as `["levels", 2, "metrics", "security.sast"]`
 */
export function weakerLevels(file: unknown): SettingFault[] {
  const { levels } = Object(file);
  const strictest = new Map<string, { strictness: number; level: string; value: unknown }>();
  return (Array.isArray(levels) ? levels : []).flatMap((level: Partial<WrittenLevel>, index) =>
    conditionsOf(level).flatMap(({ path, value, strictness }) => {
      const key = JSON.stringify(path);
      const before = strictest.get(key);
      if (!before || strictness >= before.strictness) {
        strictest.set(key, { strictness, level: String(level?.name), value });
        return [];
      }
      const message = `asks for less than ${before.level} (${before.value}), a level before it; levels go from the lowest to the highest`;
      return [{ path: ["levels", index, ...path], message }];
    }),
  );
}

interface Condition {
  readonly path: readonly string[];
  readonly value: unknown;
  /** A larger number is stricter. */
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
