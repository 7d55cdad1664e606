import type { Engine } from "@maturity/core";
import type pg from "pg";

/** Rolls every application up in PostgreSQL, as the service would if it left the work to the database. */
export async function rollUpInSql(
  client: pg.Client,
  { scorecards }: Engine,
): Promise<{ app: string; env: string; score: number }[]> {
  const metrics = scorecards.flatMap(({ name, weight, metrics }) =>
    metrics.map((metric) => ({
      scorecard: name,
      of: weight,
      metric: metric.name,
      weight: metric.weight,
      hours: metric.maxAgeHours,
    })),
  );
  const { rows } = await client.query(statement, [
    metrics.map(({ scorecard }) => scorecard),
    metrics.map(({ metric }) => metric),
    metrics.map(({ weight }) => weight),
    metrics.map(({ of }) => of),
    metrics.map(({ hours = null }) => hours),
  ]);
  return rows;
}

const statement = `
  WITH metrics AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::float8[])
      AS metrics (scorecard, metric, weight, scorecard_weight, hours)
  ),
  totals AS (SELECT scorecard, scorecard_weight, sum(weight) AS total FROM metrics GROUP BY scorecard, scorecard_weight),
  scorecards AS (
    SELECT area, team, app, env, scorecard,
      sum(weight * score::float8) / sum(weight) AS score,
      sum(weight) AS reported,
      sum(weight) FILTER (
        WHERE hours IS NULL OR date_part('epoch', statement_timestamp() - reported_at) <= 7200 * hours
      ) AS fresh,
      min(reported_at) AS oldest,
      max(project_repo) AS repo
    FROM scores_by_name JOIN metrics USING (scorecard, metric)
    GROUP BY area, team, app, env, scorecard
  )
  SELECT area, team, app, env,
    sum(scorecard_weight * score) / sum(scorecard_weight) AS score,
    sum(scorecard_weight * reported / total) / (SELECT sum(scorecard_weight) FROM totals) AS reported,
    sum(scorecard_weight * coalesce(fresh, 0) / total) / (SELECT sum(scorecard_weight) FROM totals) AS fresh,
    json_agg(json_build_array(scorecard, score, reported / total, coalesce(fresh, 0) / total)) AS scorecards,
    min(oldest) AS oldest_reported_at,
    max(repo) AS repo
  FROM scorecards JOIN totals USING (scorecard)
  GROUP BY area, team, app, env`;
