import type { Target } from "@maturity/core";
import { demoTeams, silentApps } from "./organisation.ts";
import { randomOf } from "./random.ts";
import { type DemoMetric, demoMetrics } from "./raws.ts";

/** A metric of an application in an environment, and what its tools report in the made-up year. */
export interface Series extends Target {
  readonly scorecard: string;
  readonly metric: string;
  readonly project_repo: string;
  /** When in a day it reports, in milliseconds. */
  readonly timeOfDay: number;
  /** What is reported on a day, from 0 to 364, or undefined if nothing is. Days are to be asked for in order. */
  report(day: number): object | undefined;
}

/** The number of days of the made-up year, of which today is the last. */
export const demoDays = 365;

/** All series of the organisation. */
export function demoSeries(): Series[] {
  return demoTeams.flatMap(({ area, team, quality, trend, apps }) =>
    apps.flatMap((app) => {
      const random = randomOf(`${area}/${team}/${app}`);
      const base = quality + (random() - 0.5) * 0.3;
      const begins = random() < 0.85 ? 0 : Math.floor(30 + random() * 270);
      const envs = random() < 0.75 ? ["prod", "staging"] : ["prod"];
      const minute = Math.floor(random() * 1_400);
      return envs.flatMap((env) => seriesOf({ area, team, app, env }, { base, trend, begins, minute }));
    }),
  );
}

interface Course {
  readonly base: number;
  readonly trend: number;
  /** The day of the first report. */
  readonly begins: number;
  /** The minute of the day at which the application reports. */
  readonly minute: number;
}

function seriesOf(target: Target, course: Course): Series[] {
  return Object.entries(demoMetrics).flatMap(([scorecard, metrics]) =>
    Object.entries(metrics).flatMap(([metric, measured], place): Series[] => {
      const random = randomOf(`${Object.values(target).join("/")}/${metric}`);
      const isMissing = random() < measured.missing || (measured.prodOnly && target.env !== "prod");
      if (isMissing) return [];
      return [
        {
          ...{ ...target, scorecard, metric },
          project_repo: `https://git.example.com/${target.area}/${target.app}`,
          timeOfDay: course.minute * 60_000 + place * 1_700 + Math.floor(random() * 1_000),
          report: reporter(measured, course, endOf(target.app, random), random),
        },
      ];
    }),
  );
}

/** The last day of reports: some applications fell silent, and so did some metrics of others. */
function endOf(app: string, random: () => number): number {
  const silent = silentApps[app];
  if (silent !== undefined) return demoDays - 1 - silent;
  return random() < 0.05 ? demoDays - 1 - Math.floor(9 + random() * 60) : demoDays - 1;
}

/** The level goes its way in steps: most reports repeat the one before. */
function reporter(
  { raw, everyDays }: DemoMetric,
  { base, trend, begins }: Course,
  ends: number,
  random: () => number,
): Series["report"] {
  const offset = (random() - 0.5) * 0.3;
  const phase = Math.floor(random() * everyDays);
  let level: number | undefined;
  let reported: object = {};
  return (day) => {
    if (day < begins || day > ends || (day - begins - phase) % everyDays !== 0) return undefined;
    if (level === undefined || random() < Math.min(0.025 * everyDays, 0.4)) {
      const aim = base + offset + trend * (day / demoDays - 0.5);
      const next = (level ?? aim) + (aim - (level ?? aim)) * 0.5 + (random() - 0.5) * 0.3;
      level = Math.min(0.99, Math.max(0.02, next));
      reported = raw(level);
    }
    return reported;
  };
}
