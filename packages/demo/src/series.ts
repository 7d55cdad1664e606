import type { ScoreRecord } from "@maturity/core";
import { demoTeams, randomOf, silentApps } from "./organisation.ts";
import { type DemoMetric, demoMetrics } from "./raws.ts";

/** A metric of a target. */
export type SeriesKey = Omit<ScoreRecord, "score" | "reported_at">;

/** A metric of a target, with its results in the made-up year. */
export interface Series {
  readonly key: SeriesKey;
  /** The time of day of its results, in milliseconds since midnight. */
  readonly timeOfDay: number;
  /** The values of a day, from 0 to 364, or undefined on a day without a result. Call it for the days in order. */
  rawOn(day: number): object | undefined;
}

/** The number of days of the made-up year, of which today is the last. */
export const demoDays = 365;

/** The quality of an application over the year. */
interface Course {
  /** At the middle of the year, from 0 to 1. */
  readonly base: number;
  /** By how much the quality changes in the year. */
  readonly trend: number;
  /** The day of the first result. */
  readonly begins: number;
}

/** All series of the organisation. */
export function demoSeries(): Series[] {
  return demoTeams.flatMap(({ area, team, quality, trend, apps }) =>
    apps.flatMap((app) => {
      const random = randomOf(`${area}/${team}/${app}`);
      const base = quality + (random() - 0.5) * 0.3;
      const begins = random() < 0.85 ? 0 : Math.floor(30 + random() * 270);
      const envs = random() < 0.75 ? ["prod", "staging"] : ["prod"];
      return envs.flatMap((env) =>
        Object.entries(demoMetrics).flatMap(([scorecard, metrics]) =>
          Object.entries(metrics).flatMap(([metric, measured]) =>
            seriesOf({ area, team, app, env, scorecard, metric }, measured, { base, trend, begins }),
          ),
        ),
      );
    }),
  );
}

/** The series of a metric of a target, or none. The quality changes in steps: most results repeat the one before. */
function seriesOf(key: SeriesKey, { raw, everyDays, missing, prodOnly }: DemoMetric, course: Course): Series[] {
  const { base, trend, begins } = course;
  const random = randomOf(Object.values(key).join("/"));
  if (random() < missing || (prodOnly && key.env !== "prod")) return [];
  // Some applications stop reporting, and so do some metrics of other applications.
  const silence = silentApps[key.app] ?? (random() < 0.05 ? Math.floor(9 + random() * 60) : 0);
  const offset = (random() - 0.5) * 0.3;
  const phase = Math.floor(random() * everyDays);
  let quality: number | undefined;
  let latest: object = {};
  const rawOn = (day: number) => {
    if (day < begins || day >= demoDays - silence || (day - begins - phase) % everyDays !== 0) return undefined;
    if (quality === undefined || random() < Math.min(0.025 * everyDays, 0.4)) {
      const aim = base + offset + trend * (day / demoDays - 0.5);
      const next = (quality ?? aim) + (aim - (quality ?? aim)) * 0.5 + (random() - 0.5) * 0.3;
      quality = Math.min(0.99, Math.max(0.02, next));
      latest = raw(quality);
    }
    return latest;
  };
  return [{ key, timeOfDay: Math.floor(random() * 84_000_000), rawOn }];
}
