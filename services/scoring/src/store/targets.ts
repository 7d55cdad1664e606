import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { closingLabels, targetLabels } from "./labels.ts";
import { ensureApplications } from "./names.ts";

/** SQL of the columns that `knownTarget` gives. */
export interface KnownTarget {
  /** Null if nothing was stored of it yet. */
  readonly target_id: number | null;
  /** `app` or `env` if that is retired. */
  readonly retired: "app" | "env" | null;
  /** The name of the application now. */
  readonly area: string | null;
  readonly team: string | null;
  readonly app: string | null;
}

/**
 * SQL that looks up, for a row with the names of a target, what these names lead to. It is a lateral subquery of at most one
 * row, so it goes by the indexes however much the database knows of the size of its tables. Most reports use the current name,
 * so it looks at the former ones last.
 *
 * @param sent what the row is called
 */
export function knownTarget(sent: string): string {
  return `
    SELECT targets.id AS target_id, area, team, app,
      CASE WHEN known.retired_at IS NOT NULL THEN 'app' WHEN targets.retired_at IS NOT NULL THEN 'env' END AS retired,
      is_former, is_unnoted
    FROM (
      SELECT id, area, team, app, retired_at, false AS is_former, false AS is_unnoted
      FROM applications
      WHERE area = ${sent}.area AND team = ${sent}.team AND app = ${sent}.app
      UNION ALL
      SELECT id, applications.area, applications.team, applications.app, retired_at, true,
        used_at IS NULL OR used_at < now() - interval '1 minute'
      FROM names JOIN applications ON applications.id = application_id
      WHERE names.area = ${sent}.area AND names.team = ${sent}.team AND names.app = ${sent}.app
      LIMIT 1
    ) AS known
    LEFT JOIN targets ON application_id = known.id AND env = ${sent}.env
    LIMIT 1
  `;
}

/**
 * Notes the use of former names, each at most once a minute. It passes over what a move has locked, since two that wait for each
 * other's rows would end one of the two.
 */
export async function noteUses(knex: Knex, names: readonly AppName[]): Promise<void> {
  await knex.raw(
    `
    UPDATE names SET used_at = now() WHERE ctid = ANY (ARRAY(
      SELECT names.ctid FROM names
      JOIN json_to_recordset(?::json) AS sent (area text, team text, app text) USING (area, team, app)
      WHERE used_at IS NULL OR used_at < now() - interval '1 minute'
      FOR NO KEY UPDATE OF names SKIP LOCKED
    ))
    `,
    [JSON.stringify(names.map(appName))],
  );
}

/**
 * Makes the targets that are unknown, and their applications. Two that make the same one at once make one.
 *
 * @param trx the transaction that stores something of them
 */
export async function makeTargets(trx: Knex, targets: readonly Target[]): Promise<void> {
  const applications = await ensureApplications(trx, targets.map(appName));
  const rows = targets.map(({ env }, index) => ({ application_id: applications[index]?.application_id, env }));
  await trx.raw(
    `
    INSERT INTO targets (application_id, env, labels)
    SELECT DISTINCT applications.id, sent.env COLLATE "C", ${targetLabels("applications", "sent.env")}
    FROM json_to_recordset(?::json) AS sent (application_id int, env text)
    JOIN applications ON applications.id = sent.application_id AND applications.retired_at IS NULL
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    `,
    [JSON.stringify(rows)],
  );
}

/** A metric of a scorecard. */
export interface MetricName {
  readonly scorecard: string;
  readonly metric: string;
}

/** Stores the names of the metrics that are unknown. */
export async function makeMetrics(trx: Knex, metrics: readonly MetricName[]): Promise<void> {
  await trx.raw(
    `
    INSERT INTO metrics (scorecard, metric, labels)
    SELECT DISTINCT sent.scorecard COLLATE "C", sent.metric COLLATE "C",
      ${closingLabels({ scorecard: "sent.scorecard", metric: "sent.metric" })}
    FROM json_to_recordset(?::json) AS sent (scorecard text, metric text)
    WHERE NOT EXISTS (
      SELECT FROM metrics AS known WHERE (known.scorecard, known.metric) = (sent.scorecard, sent.metric)
    )
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    `,
    [JSON.stringify(metrics.map(({ scorecard, metric }) => ({ scorecard, metric })))],
  );
}
