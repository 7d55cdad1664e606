import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import { type AppName, appName } from "../model/app-name.ts";
import type { Unregistered } from "../model/unregistered.ts";
import { closingLabels, targetLabels } from "./labels.ts";
import { ensureApplications, findCurrentNames, holdNames } from "./names.ts";
import { query } from "./sql.ts";

/**
 * SQL that looks up what the names of the row `sent` lead to: `target_id` (null if nothing was stored of it yet), `retired`
 * (`app` or `env`), the current `area`, `team` and `app`, whether it is not registered and held, and whether the use of a former name is to be noted. It is a
 * lateral subquery of at most one row, so that it uses the indexes whatever the database knows of its tables. Most
 * submissions use the current name, so it looks at former names last.
 */
export const knownTarget: string = `
  SELECT targets.id AS target_id, area, team, app, is_unregistered, is_held,
    CASE WHEN known.retired_at IS NOT NULL THEN 'app' WHEN targets.retired_at IS NOT NULL THEN 'env' END AS retired,
    is_former, is_unnoted
  FROM (
    SELECT id, area, team, app, retired_at, registered_at IS NULL AS is_unregistered, held_since IS NOT NULL AS is_held,
      false AS is_former, false AS is_unnoted
    FROM applications
    WHERE area = sent.area AND team = sent.team AND app = sent.app
    UNION ALL
    SELECT id, applications.area, applications.team, applications.app, retired_at, registered_at IS NULL,
      held_since IS NOT NULL, true,
      used_at IS NULL OR used_at < now() - interval '1 minute'
    FROM names JOIN applications ON applications.id = application_id
    WHERE names.area = sent.area AND names.team = sent.team AND names.app = sent.app
    LIMIT 1
  ) AS known
  LEFT JOIN targets ON application_id = known.id AND env = sent.env
  LIMIT 1
`;

/**
 * Finds the targets that are retired, or whose application is, by whatever name: also by that of a group that moved, which
 * no statement that stores looks up.
 */
export async function findRetired(
  knex: Knex,
  targets: readonly Target[],
): Promise<{ readonly index: number; readonly what: "app" | "env" }[]> {
  const names = await findCurrentNames(knex, targets.map(appName));
  const sent = JSON.stringify(targets.map(({ env }, index) => ({ index, ...names[index]?.name, env })));
  return query(knex)`
    SELECT index, retired AS what
    FROM json_to_recordset(${sent}::json) AS sent (index int, area text, team text, app text, env text)
      CROSS JOIN LATERAL (${raw(knownTarget)}) AS known
    WHERE retired IS NOT NULL ORDER BY index
  `;
}

/**
 * Notes the use of former names, each at most once a minute. It passes over what a move has locked, since two that wait for each
 * other's rows would end one of the two.
 */
export async function noteUses(knex: Knex, names: readonly AppName[]): Promise<void> {
  const sent = JSON.stringify(names.map(appName));
  await query(knex)`
    UPDATE names SET used_at = now() WHERE ctid = ANY (ARRAY(
      SELECT names.ctid FROM names
      JOIN json_to_recordset(${sent}::json) AS sent (area text, team text, app text) USING (area, team, app)
      WHERE used_at IS NULL OR used_at < now() - interval '1 minute'
      FOR NO KEY UPDATE OF names SKIP LOCKED
    ))
  `;
}

/**
 * Creates the targets that are unknown, and their applications. Two transactions that create the same one create it
 * once. Where unregistered applications are refused, it creates the targets of registered ones alone.
 *
 * @param trx the transaction that stores something about them
 */
export async function createTargets(trx: Knex, wanted: readonly Target[], unregistered: Unregistered): Promise<void> {
  const targets = unregistered === "refuse" ? await ofRegistered(trx, wanted) : wanted;
  if (targets.length === 0) return;
  const applications = await ensureApplications(trx, targets.map(appName), unregistered === "hold");
  const rows = targets.map(({ env }, index) => ({ application_id: applications[index]?.application_id, env }));
  await query(trx)`
    INSERT INTO targets (application_id, env, labels)
    SELECT DISTINCT applications.id, sent.env COLLATE "C", ${raw(targetLabels("sent.env"))}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS sent (application_id int, env text)
    JOIN applications ON applications.id = sent.application_id AND applications.retired_at IS NULL
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  `;
}

async function ofRegistered(trx: Knex, targets: readonly Target[]): Promise<Target[]> {
  await holdNames(trx);
  const found = await findCurrentNames(trx, targets.map(appName));
  return targets.filter((_, index) => found[index]?.is_registered);
}

/** A metric of a scorecard. */
export interface MetricName {
  readonly scorecard: string;
  readonly metric: string;
}

/** Creates the metrics that are unknown. */
export async function createMetrics(trx: Knex, metrics: readonly MetricName[]): Promise<void> {
  const sent = JSON.stringify(metrics.map(({ scorecard, metric }) => ({ scorecard, metric })));
  await query(trx)`
    INSERT INTO metrics (scorecard, metric, labels)
    SELECT DISTINCT sent.scorecard COLLATE "C", sent.metric COLLATE "C",
      ${raw(closingLabels({ scorecard: "sent.scorecard", metric: "sent.metric" }))}
    FROM json_to_recordset(${sent}::json) AS sent (scorecard text, metric text)
    WHERE NOT EXISTS (
      SELECT FROM metrics AS known WHERE (known.scorecard, known.metric) = (sent.scorecard, sent.metric)
    )
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  `;
}
