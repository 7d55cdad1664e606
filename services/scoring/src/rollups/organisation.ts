import {
  type AppLevel,
  type AppScore,
  type Engine,
  type Level,
  rollUpApp,
  type Severity,
  severities,
  waivedMetrics,
} from "@maturity/core";
import { createSlices } from "../http/slices.ts";
import type { RegisteredApp } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import { type Lines, readSnapshot } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";
import { createLevelFinder } from "./app-levels.ts";
import { createKnownScores, type KnownApp } from "./known-scores.ts";
import { type Registry, readRegistry, registryKey } from "./registered-apps.ts";
import type { OwnScorecards } from "./scorecards.ts";
import { areSame, readWaivers, type ScoreWaiver, waivedShares } from "./waivers.ts";

/** How many problems are open, by severity. */
export type OpenProblems = Readonly<Record<Severity, number>>;

export const noProblems: OpenProblems = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** One application in one environment. */
export interface App extends AppScore, OwnScorecards {
  readonly scorecards: AppScore["scorecards"];
  /** Its names in one text. */
  readonly id: string;
  readonly problems: OpenProblems;
  /** Null if there are no levels. */
  readonly level: AppLevel | null;
  /** When the oldest of its scores was reported. */
  readonly oldestReportedAt: Date;
  /** A repository that one of its reports names. */
  readonly repo: string | null;
  /** What is registered of it, if it is. */
  readonly registration: RegisteredApp | undefined;
  /** The waivers in force that waive something of it. */
  readonly waivers: readonly ScoreWaiver[];
  /** The registered metrics that it never reported and that are not waived, as `scorecard.metric`. */
  readonly missing: readonly string[];
  /** The ids of its scores, in the order of the scorecards and their metrics; undefined for one that is missing. */
  readonly scoreIds: readonly (number | undefined)[];
}

/** All applications that have a score, at one moment. */
export interface Organisation {
  /** That moment, by the database's clock. */
  readonly asOf: Date;
  readonly apps: readonly App[];
  readonly registry: Registry;
}

/** An application, and how long its roll-up holds if nothing is reported, in milliseconds since 1970. */
interface Made {
  app: App;
  /** The application when its level was found. */
  levelled?: App;
  readonly until: number;
}

/**
 * Makes a function that reads the roll-ups of all applications. It reads only the scores that are new since its last call,
 * and rolls up only the applications that got one, have a score that has become stale since, or have other waivers in force
 * than then. No work blocks the event loop for long. Its calls must not overlap.
 *
 * The function throws ServiceError `store-unavailable`.
 *
 * @param levels the lowest first
 */
export function createOrganisationReader(
  database: Database,
  engine: Engine,
  levels: readonly Level[] = [],
): () => Promise<Organisation> {
  const read = createOrganisationReading(engine, levels);
  return () => readSnapshot(database, database.reads, (lines) => read(lines));
}

/**
 * Makes a function that reads the roll-ups of all applications from a snapshot, as `createOrganisationReader` says.
 *
 * @param levels the lowest first
 * @returns the function; it takes the moment by which scores are stale or not, and without one that of the snapshot counts
 */
export function createOrganisationReading(
  engine: Engine,
  levels: readonly Level[],
): (lines: Lines, at?: Date) => Promise<Organisation> {
  const scores = createKnownScores(engine);
  const made = new WeakMap<KnownApp, Made>();
  const rollUp = createAppRollUp(engine);
  let registry: Registry = new Map();
  const levelOf = createLevelFinder(engine, levels);
  return async (lines, at) => {
    const { apps: known, changed, ...reading } = await scores.read(lines);
    const asOf = at ?? reading.asOf;
    for (const app of changed) made.delete(app);
    const problems = await readProblems(lines);
    registry = await readRegistry(lines, registry);
    const waiversOf = await readWaivers(lines, asOf);
    const apps: App[] = [];
    const slice = createSlices();
    for (const app of known) {
      await slice();
      const former = made.get(app);
      const waivers = waiversOf(app);
      const holds = former && Number(asOf) <= former.until && areSame(former.app.waivers, waivers);
      const now = holds ? former : rollUp(app, asOf, waivers);
      if (!now) continue;
      now.app = withProblems(now.app, problems.get(app.id) ?? noProblems);
      now.app = withRegistration(now.app, registry.get(registryKey(app)));
      if (now.levelled !== now.app) {
        const level = levelOf(now.app, app.evidence, waivedMetrics(engine.scorecards, waivers));
        now.app = now.levelled = { ...now.app, level };
      }
      made.set(app, now);
      apps.push(now.app);
    }
    return { asOf, apps, registry };
  };
}

/** The registered metrics as `scorecard.metric`, in the order of the scorecards and their metrics. */
export function metricNames({ scorecards }: Pick<Engine, "scorecards">): string[] {
  return scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));
}

function createAppRollUp({
  scorecards,
}: Engine): (app: KnownApp, asOf: Date, waivers: readonly ScoreWaiver[]) => Made | undefined {
  const names = metricNames({ scorecards });
  const becomesStaleAfter = scorecards.flatMap(({ metrics }) =>
    metrics.map(({ maxAgeHours = Number.POSITIVE_INFINITY }) => 2 * maxAgeHours * 3_600_000),
  );
  return ({ evidence, scoreIds, ...app }, asOf, waivers) => {
    const waived = waivers.length > 0 ? waivedMetrics(scorecards, waivers) : [];
    const rolled = rollUpApp(scorecards, evidence, asOf, waived);
    if (!rolled) return undefined;
    let [oldest, until] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [place, one] of evidence.entries()) {
      if (!one) continue;
      const reportedAt = Number(one.reported_at);
      const end = reportedAt + (becomesStaleAfter[place] ?? 0);
      oldest = Math.min(oldest, reportedAt);
      if (end >= Number(asOf)) until = Math.min(until, end);
    }
    return {
      until,
      app: {
        ...app,
        ...rolled,
        problems: noProblems,
        registration: undefined,
        level: null,
        oldestReportedAt: new Date(oldest),
        waivers,
        waivedUnscored:
          waivers.length > 0 ? withoutScored(waivedShares(scorecards, waivers), rolled.scorecards) : nothing,
        missing: names.filter((_, place) => !evidence[place] && !waived[place]),
        scoreIds: [...scoreIds],
      },
    };
  };
}

const nothing: ReadonlyMap<string, number> = new Map();

function withoutScored(
  shares: ReadonlyMap<string, number>,
  scored: readonly { readonly scorecard: string }[],
): ReadonlyMap<string, number> {
  return new Map([...shares].filter(([name]) => scored.every(({ scorecard }) => scorecard !== name)));
}

function withProblems(app: App, problems: OpenProblems): App {
  const isSame = severities.every((severity) => app.problems[severity] === problems[severity]);
  return isSame ? app : { ...app, problems };
}

function withRegistration(app: App, registration: RegisteredApp | undefined): App {
  return app.registration === registration ? app : { ...app, registration };
}

async function readProblems(lines: Lines): Promise<Map<string, OpenProblems>> {
  const found = new Map<string, Record<Severity, number>>();
  const select = `SELECT area, team, app, env, severity, count(*) FROM problems WHERE count > 0
    GROUP BY area, team, app, env, severity`;
  for await (const rows of inLines(lines(select))) {
    for (const row of rows) {
      const [area, team, app, env, severity, count] = row.split(separator);
      const id = [area, team, app, env].join(separator);
      const counts = found.get(id) ?? { ...noProblems };
      counts[severity as Severity] = Number(count);
      found.set(id, counts);
    }
  }
  return found;
}
