import type { Engine, Target } from "@maturity/core";
import { type AppChange, type Changes, type ChangesSources, readChanges } from "../history/changes.ts";
import { slice } from "../http/slices.ts";
import { dayBefore } from "../lists/time.ts";
import { readScoreWaivers, waivedBy } from "../reading/score-waivers.ts";
import { metricNames } from "../rollups/organisation.ts";
import { createRecordedDays } from "../rollups/recorded-days.ts";
import { createRollUpReader } from "../rollups/roll-ups.ts";
import type { Database } from "../store/database.ts";
import type { ScoreKey } from "../store/scores.ts";
import { inForceNow, type StoredWaiver, waiverColumns } from "../store/waivers.ts";

/** The time between two digests. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/** An application whose score is noticeably better or worse than then. */
export interface Moved extends AppChange {
  readonly score_since: number;
  readonly change: number;
  readonly causes: NonNullable<AppChange["causes"]>;
  /** Its metrics that moved the same way, the one that moves the application most first. */
  readonly metrics: readonly MovedMetric[];
}

/** A metric, as `scorecard.metric`, whose score has changed. */
export interface MovedMetric {
  readonly metric: string;
  /** Null if it had not been reported then. */
  readonly from: number | null;
  readonly to: number;
}

/** A waiver that ends soon. */
export interface Ending
  extends Pick<StoredWaiver, "scorecard" | "metric" | "problem_type" | "reason" | "owner">,
    Pick<StoredWaiver, "area" | "team" | "app" | "env"> {
  readonly expires_at: Date;
}

/** A metric that counts and has become stale since. */
export interface GoneStale extends Target {
  /** As `scorecard.metric`. */
  readonly metric: string;
  readonly reported_at: Date;
}

/** What happened in the organisation since a day. */
export interface Happenings {
  /** The largest rise first. */
  readonly better: readonly Moved[];
  /** The largest fall first. */
  readonly worse: readonly Moved[];
  /** The next end first. */
  readonly ending: readonly Ending[];
  /** The oldest first. */
  readonly stale: readonly GoneStale[];
  /** All applications, to find whom a waiver concerns. */
  readonly apps: readonly Target[];
}

/** The smallest change of an application's score that is told, in points. */
const noticeable = 0.5;

/** How many days before its end a waiver is told, as the alert rule `MaturityWaiverEnds` does. */
const daysAhead = 14;

/**
 * Reads what happened in a period. Scores are compared as `GET /changes` does, with the first moment of its first day in UTC.
 *
 * @throws ServiceError `store-unavailable`
 */
export async function readHappenings(
  { database, engine, historyDays }: Omit<ChangesSources, "sources">,
  period: Period,
): Promise<Happenings> {
  const sources = { rollUps: createRollUpReader(database, engine), days: createRecordedDays(database) };
  const question = { since: dayBefore(period.since, 0), filter: {}, isWhole: true };
  const changes = await readChanges({ database, engine, historyDays, sources }, question);
  const moved = (await movedOf(engine, changes)).sort((a, b) => a.change - b.change);
  return {
    better: moved.filter(({ change }) => change > 0).reverse(),
    worse: moved.filter(({ change }) => change < 0),
    ending: await readEnding(database),
    stale: await readStale(database, engine, period),
    apps: changes.now,
  };
}

/** The applications that moved noticeably, and the metrics that moved them. */
async function movedOf(engine: Engine, { apps, now, later }: Changes): Promise<Moved[]> {
  const names = metricNames(engine);
  const shares = engine.scorecards.flatMap(({ weight, metrics }) => {
    const total = metrics.reduce((sum, metric) => sum + metric.weight, 0);
    return metrics.map((metric) => (weight * metric.weight) / total);
  });
  const moved: Moved[] = [];
  for (const [index, { score_since, change, causes, ...app }] of apps.entries()) {
    await slice();
    if (score_since === null || change === null || causes === null || Math.abs(change) < noticeable) continue;
    const { scoreIds = [], scores = [] } = now[index] ?? {};
    const metrics = scoreIds
      .flatMap((id, place) => {
        const one = id === undefined ? undefined : later.get(id);
        const [from, to] = [one?.former ?? null, scores[place] ?? Number.NaN];
        const effect = one ? ((to - (from ?? score_since)) * (shares[place] ?? 0)) / change : 0;
        return effect > 0 ? [{ effect, metric: names[place] ?? "", from, to }] : [];
      })
      .sort((a, b) => b.effect - a.effect);
    moved.push({ ...app, score_since, change, causes, metrics });
  }
  return moved;
}

async function readEnding({ reads }: Database): Promise<Ending[]> {
  const { rows } = await reads.raw(
    `
    SELECT ${waiverColumns} FROM waivers_by_name
    WHERE expires_at <= clock_timestamp() + make_interval(hours => 24 * ?::int) AND ${inForceNow}
    ORDER BY expires_at, id
    `,
    [daysAhead],
  );
  return rows;
}

/** The metrics that have become older than twice their age in the period, and are not waived. */
async function readStale(database: Database, { scorecards }: Engine, { since, until }: Period): Promise<GoneStale[]> {
  const ageing = scorecards.flatMap(({ name, metrics }) =>
    metrics.flatMap((metric) => (metric.maxAgeHours === undefined ? [] : [[name, metric.name, metric.maxAgeHours]])),
  );
  const staleAt = "reported_at + make_interval(secs => 7200 * hours)";
  const { rows } = await database.reads.raw(
    `
    SELECT area, team, app, env, scorecard, metric, reported_at
    FROM scores_by_name JOIN unnest(?::text[], ?::text[], ?::float8[]) AS ageing (scorecard, metric, hours) USING (scorecard, metric)
    WHERE ${staleAt} > ?::timestamptz AND ${staleAt} <= ?::timestamptz
    ORDER BY reported_at, area, team, app, env, scorecard, metric
    `,
    [...[0, 1, 2].map((place) => ageing.map((one) => String(one[place]))), since, until],
  );
  const isWaived = waivedBy(await readScoreWaivers(database, {}));
  const stale: GoneStale[] = [];
  for (const { scorecard, metric, ...rest } of rows as (ScoreKey & GoneStale)[]) {
    await slice();
    if (!isWaived({ scorecard, metric, ...rest })) stale.push({ ...rest, metric: `${scorecard}.${metric}` });
  }
  return stale;
}
