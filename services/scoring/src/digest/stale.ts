import { type Engine, type Target, waivedMetrics } from "@maturity/core";
import { slice } from "../http/slices.ts";
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
  const waivedOf = new Map<string, ReturnType<typeof waivedMetrics>>();
  for (const app of apps) {
    await slice();
    waivedOf.set(app.id, waivedMetrics(scorecards, app.waivers));
  }
  const stale: GoneStale[] = [];
  for (const { area, team, app, env, scorecard, metric, reported_at } of rows as readonly StoredMetric[]) {
    await slice();
    const target = { area, team, app, env };
    const place = places.findIndex((place) => place.scorecard === scorecard && place.metric.name === metric);
    const waived = waivedOf.get(idOf(target)); // an application that is waived whole has no roll-up
    if (waived && !waived[place]) stale.push({ ...target, metric: `${scorecard}.${metric}`, reported_at });
  }
  return stale;
}

interface StoredMetric extends Target {
  readonly scorecard: string;
  readonly metric: string;
  readonly reported_at: Date;
}
