import type { Engine, Target } from "@maturity/core";
import type { AppChange } from "../history/changes.ts";
import { idBy } from "../rollups/groups.ts";
import { type App, metricNames } from "../rollups/organisation.ts";
import type { Database } from "../store/database.ts";
import { firstMoment } from "../store/utc.ts";

/** An application whose score is better or worse than then. */
export interface Moved extends Target {
  readonly from: number;
  readonly to: number;
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

/** The smallest change of an application's score that is told, in points. */
export const noticeable = 0.5;

interface MoveSources {
  readonly since: string;
  readonly apps: readonly App[];
  readonly changes: readonly AppChange[];
}

/** Finds the applications that moved noticeably since a day, and the metrics that moved them. */
export async function readMoved(
  database: Database,
  engine: Engine,
  { since, apps, changes }: MoveSources,
): Promise<Moved[]> {
  const byId = new Map(apps.map((app) => [idOf(app), app]));
  const told = changes.flatMap(({ score_since, score, change, causes, ...target }) => {
    const app = byId.get(idOf(target));
    return app && causes && score_since !== null && change !== null && Math.abs(change) >= noticeable
      ? [{ ...target, app: target.app, from: score_since, to: score, causes, scoreIds: app.scoreIds }]
      : [];
  });
  const changed = await readMetricChanges(
    database,
    since,
    told.flatMap(({ scoreIds }) => scoreIds.filter((id) => id !== undefined)),
  );
  const names = metricNames(engine);
  const shares = sharesOf(engine);
  return told.map(({ scoreIds, ...one }) => {
    const effect = ({ place, from, to }: { place: number; from: number | null; to: number }) =>
      ((to - (from ?? one.from)) * (shares[place] ?? 0)) / Math.sign(one.to - one.from);
    const metrics = scoreIds
      .flatMap((id, place) => {
        const change = id === undefined ? undefined : changed.get(id);
        return change ? [{ place, metric: names[place] ?? "", ...change }] : [];
      })
      .filter((metric) => effect(metric) > 0)
      .sort((a, b) => effect(b) - effect(a))
      .map(({ metric, from, to }) => ({ metric, from, to }));
    return { ...one, metrics };
  });
}

/** The names of an application in one text. */
export const idOf: (target: Target) => string = idBy(["area", "team", "app", "env"]);

/** The share of each metric in the score of an application that reports all, in the order of the scorecards. */
function sharesOf({ scorecards }: Engine): number[] {
  return scorecards.flatMap(({ weight, metrics }) => {
    const total = metrics.reduce((sum, metric) => sum + metric.weight, 0);
    return metrics.map((metric) => (weight * metric.weight) / total);
  });
}

/** How the scores with these ids have changed since a day; those that have not are left out. */
async function readMetricChanges(
  { reads }: Database,
  day: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly from: number | null; readonly to: number }>> {
  const { rows } = await reads.raw(
    `
    SELECT score_id, (array_agg(former ORDER BY at))[1] AS former, (array_agg(score ORDER BY at DESC))[1] AS score
    FROM score_changes
    WHERE score_id = ANY (?::bigint[]) AND at > ${firstMoment("?::date")}
    GROUP BY score_id
    `,
    [[...ids], day],
  );
  return new Map(
    rows
      .map(({ score_id, former, score }: Record<string, string | null>) => [
        Number(score_id),
        { from: former === null ? null : Number(former), to: Number(score) },
      ])
      .filter(([, { from, to }]: [number, { from: number | null; to: number }]) => from !== to),
  );
}
