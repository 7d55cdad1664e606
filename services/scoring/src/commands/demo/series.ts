import type { ScoreKey } from "../../store/scores.ts";
import { demoTeams, randomOf, silentApps } from "./organisation.ts";
import { type DemoMetric, demoMetrics } from "./raws.ts";

/** A metric of an application in an environment, and what its tools report in the made-up year. */
export interface Series {
  readonly key: ScoreKey;
  /** When in a day it reports, in milliseconds. */
  readonly timeOfDay: number;
  /** What is reported on a day, from 0 to 364, or undefined if nothing is. Days are to be asked for in order. */
  report(day: number): object | undefined;
}

/** The number of days of the made-up year, of which today is the last. */
export const demoDays = 365;

/** How an application does: its level at the middle of the year, by how much that changes, and the day of its first report. */
interface Course {
  readonly base: number;
  readonly trend: number;
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

/** The level goes its way in steps: most reports repeat the one before. */
function seriesOf(key: ScoreKey, { raw, everyDays, missing, prodOnly }: DemoMetric, course: Course): Series[] {
  const { base, trend, begins } = course;
  const random = randomOf(Object.values(key).join("/"));
  if (random() < missing || (prodOnly && key.env !== "prod")) return [];
  // Some applications fell silent, and so did some metrics of others.
  const silence = silentApps[key.app] ?? (random() < 0.05 ? Math.floor(9 + random() * 60) : 0);
  const offset = (random() - 0.5) * 0.3;
  const phase = Math.floor(random() * everyDays);
  let level: number | undefined;
  let reported: object = {};
  const report = (day: number) => {
    if (day < begins || day >= demoDays - silence || (day - begins - phase) % everyDays !== 0) return undefined;
    if (level === undefined || random() < Math.min(0.025 * everyDays, 0.4)) {
      const aim = base + offset + trend * (day / demoDays - 0.5);
      const next = (level ?? aim) + (aim - (level ?? aim)) * 0.5 + (random() - 0.5) * 0.3;
      level = Math.min(0.99, Math.max(0.02, next));
      reported = raw(level);
    }
    return reported;
  };
  return [{ key, timeOfDay: Math.floor(random() * 84_000_000), report }];
}
