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
import { slice } from "../http/slices.ts";
import type { RegisteredApp } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import { type Lines, readSnapshot } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";
import { createLevelFinder } from "./app-levels.ts";
import { createKnownScores, type KnownApp } from "./known-scores.ts";
import { type Registry, readRegistry, registryKey } from "./registered-apps.ts";
import type { OwnScorecards } from "./scorecards.ts";
import { areSame, readWaivers, type ScoreWaiver, waivedShares, waivedUnscored } from "./waivers.ts";

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
  /** Its scores in the same order; NaN for one that is missing. */
  readonly scores: readonly number[];
}

/** One application in one environment without a score: all its results are waived, or it has only an open problem. */
export interface ReportedApp
  extends Pick<
    App,
    "id" | "area" | "team" | "app" | "env" | "waived" | "waivedUnscored" | "problems" | "repo" | "missing"
  > {
  /** When the oldest of its results was reported; null if it has none. */
  readonly oldestReportedAt: Date | null;
}

/** All applications that have reported, at one moment. */
export interface Organisation {
  /** That moment, by the database's clock. */
  readonly asOf: Date;
  /** Those that have a score. */
  readonly apps: readonly App[];
  readonly unscored: readonly ReportedApp[];
  readonly registry: Registry;
}

/** An application, and how long its roll-up holds if nothing is reported, in milliseconds since 1970. */
interface Made {
  readonly app: App;
  readonly until: number;
}

/** What makes an application beside its scores. */
type Beside = Pick<App, "problems" | "registration" | "waivers">;

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
  const scores = createKnownScores(engine);
  let made = new Map<KnownApp, Made>();
  const rollUp = createAppRollUp(engine, levels);
  const withoutScore = createReportedApp(engine);
  let registry: Registry = new Map();
  const read = async (lines: Lines): Promise<Organisation> => {
    const { apps: known, has, changed, asOf } = await scores.read(lines);
    for (const app of changed) made.delete(app); // at once: what follows may fail, and the next reading has others
    const problems = await readProblems(lines);
    registry = await readRegistry(lines, registry);
    const waiversOf = await readWaivers(lines, asOf);
    const apps: App[] = [];
    const next = new Map<KnownApp, Made>();
    const unscored: ReportedApp[] = [];
    for (const app of known) {
      await slice();
      const former = made.get(app);
      const beside: Beside = {
        problems: problems.get(app.id) ?? noProblems,
        registration: registry.get(registryKey(app)),
        waivers: waiversOf(app),
      };
      const holds = former && Number(asOf) <= former.until && isSame(former.app, beside);
      const now = holds ? former : rollUp(app, asOf, beside);
      if (!now) {
        unscored.push(withoutScore(app, beside));
        continue;
      }
      next.set(app, now);
      apps.push(now.app);
    }
    for (const [id, open] of problems) {
      if (has(id)) continue;
      await slice();
      const app = { ...namesOf(id), repo: null, evidence: [] };
      unscored.push(withoutScore(app, { problems: open, waivers: waiversOf(app) }));
    }
    made = next;
    return { asOf, apps, unscored, registry };
  };
  return () => readSnapshot(database, database.reads, read);
}

/** The registered metrics as `scorecard.metric`, in the order of the scorecards and their metrics. */
export function metricNames({ scorecards }: Pick<Engine, "scorecards">): string[] {
  return scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));
}

function createAppRollUp(
  engine: Engine,
  levels: readonly Level[],
): (app: KnownApp, asOf: Date, beside: Beside) => Made | undefined {
  const { scorecards } = engine;
  const names = metricNames(engine);
  const levelOf = createLevelFinder(engine, levels);
  const becomesStaleAfter = scorecards.flatMap(({ metrics }) =>
    metrics.map(({ maxAgeHours = Number.POSITIVE_INFINITY }) => 2 * maxAgeHours * 3_600_000),
  );
  return ({ id, area, team, app, env, repo, evidence, scoreIds }, asOf, { problems, registration, waivers }) => {
    const isWaived = waivers.length > 0;
    const waived = isWaived ? waivedMetrics(scorecards, waivers) : [];
    const rolled = rollUpApp(scorecards, evidence, asOf, waived);
    if (!rolled) return undefined;
    const at = Number(asOf);
    const missing: string[] = [];
    let oldest = Number.POSITIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    for (let place = 0; place < names.length; place++) {
      const one = evidence[place];
      if (one) {
        const end = one.reported_at + (becomesStaleAfter[place] ?? 0);
        oldest = Math.min(oldest, one.reported_at);
        if (end >= at) until = Math.min(until, end);
      } else if (!waived[place]) missing.push(names[place] ?? "");
    }
    // Field by field: to spread objects would take most of the time that many thousand applications take.
    const { score, coverage, freshCoverage, waived: waivedShare, scorecards: own } = rolled;
    return {
      until,
      app: {
        id,
        area,
        team,
        app,
        env,
        repo,
        problems,
        registration,
        waivers,
        missing,
        score,
        coverage,
        freshCoverage,
        waived: waivedShare,
        scorecards: own,
        level: levelOf(rolled, problems, evidence, waived),
        oldestReportedAt: new Date(oldest),
        waivedUnscored: waivedUnscored(scorecards, waivers, own),
        scoreIds: scoreIds.slice(),
        scores: evidence.map((one) => (one ? one.score : Number.NaN)),
      },
    };
  };
}

/** The function takes an application without a score, although it has reported. */
function createReportedApp(
  engine: Engine,
): (app: Omit<KnownApp, "scoreIds">, beside: Pick<Beside, "problems" | "waivers">) => ReportedApp {
  const { scorecards } = engine;
  const names = metricNames(engine);
  const total = scorecards.reduce((sum, { weight }) => sum + weight, 0);
  return ({ id, area, team, app, env, repo, evidence }, { problems, waivers }) => {
    const shares = waivedShares(scorecards, waivers);
    const waivedBy = waivedMetrics(scorecards, waivers);
    const oldest = evidence.reduce(
      (oldest, one) => Math.min(oldest, one?.reported_at ?? oldest),
      Number.POSITIVE_INFINITY,
    );
    return {
      ...{ id, area, team, app, env, repo, problems },
      waivedUnscored: shares,
      waived: scorecards.reduce((sum, { name, weight }) => sum + weight * (shares.get(name) ?? 0), 0) / total,
      oldestReportedAt: Number.isFinite(oldest) ? new Date(oldest) : null,
      missing: names.filter((_, place) => !evidence[place] && !waivedBy[place]),
    };
  };
}

/** The names of an application by its id. */
function namesOf(id: string): Pick<App, "id" | "area" | "team" | "app" | "env"> {
  const [area = "", team = "", app = "", env = ""] = id.split(separator);
  return { id, area, team, app, env };
}

function isSame(former: Beside, { problems, registration, waivers }: Beside): boolean {
  return (
    former.registration === registration &&
    areSame(former.waivers, waivers) &&
    (former.problems === problems || severities.every((severity) => former.problems[severity] === problems[severity]))
  );
}

/** How many problems are open of each application that has one, by its names in one text. */
export async function readProblems(lines: Lines): Promise<ReadonlyMap<string, OpenProblems>> {
  const found = new Map<string, Record<Severity, number>>();
  const select = `SELECT area, team, app, env, severity, count(*) FROM problems_by_name WHERE count > 0
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
