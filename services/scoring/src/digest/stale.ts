import { type Engine, type Target, waivedMetrics } from "@maturity/core";
import type { App } from "../rollups/organisation.ts";
import type { Database } from "../store/database.ts";
import { idOf } from "./moved.ts";

/** A metric that counts and has become stale since. */
export interface GoneStale extends Target {
  /** As `scorecard.metric`. */
  readonly metric: string;
  readonly reported_at: Date;
}

/** The time between two digests. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/** The metrics that age, and have become older than twice their age in the period. What is waived is left out. */
export async function readStale(
  { reads }: Database,
  { scorecards }: Engine,
  { period, apps }: { readonly period: Period; readonly apps: readonly App[] },
): Promise<GoneStale[]> {
  const places = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => ({ scorecard: name, metric })));
  const ageing = places.flatMap(({ scorecard, metric: { name, maxAgeHours } }) =>
    maxAgeHours === undefined ? [] : [{ scorecard, name, maxAgeHours }],
  );
  const { rows } = await reads.raw(
    `
    SELECT area, team, app, env, scorecard, metric, reported_at
    FROM scores
    JOIN unnest(?::text[], ?::text[], ?::float8[]) AS ageing (scorecard, metric, hours) USING (scorecard, metric)
    WHERE reported_at + make_interval(secs => 7200 * hours) > ?::timestamptz
      AND reported_at + make_interval(secs => 7200 * hours) <= ?::timestamptz
    ORDER BY reported_at, area, key
    `,
    [
      ageing.map(({ scorecard }) => scorecard),
      ageing.map(({ name }) => name),
      ageing.map(({ maxAgeHours }) => String(maxAgeHours)),
      ...[period.since, period.until],
    ],
  );
  const byId = new Map(apps.map((app) => [idOf(app), app]));
  const counts = ({ scorecard, metric, ...target }: StoredMetric) => {
    const place = places.findIndex((place) => place.scorecard === scorecard && place.metric.name === metric);
    const app = byId.get(idOf(target));
    return app && !waivedMetrics(scorecards, app.waivers)[place]; // an application that is waived whole has no roll-up
  };
  return rows
    .filter(counts)
    .map(({ area, team, app, env, scorecard, metric, reported_at }: StoredMetric & Pick<GoneStale, "reported_at">) => ({
      ...{ area, team, app, env, metric: `${scorecard}.${metric}`, reported_at },
    }));
}

interface StoredMetric extends Target {
  readonly scorecard: string;
  readonly metric: string;
}
