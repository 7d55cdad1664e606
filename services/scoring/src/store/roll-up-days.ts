import type { Knex } from "knex";
import sql, { type Sql } from "sql-template-tag";
import { query } from "./sql.ts";

/** The target of a roll-up: an area, a team or an application, in one environment. */
export interface RollUpTarget {
  readonly area: string;
  readonly team?: string | undefined;
  readonly app?: string | undefined;
  readonly env: string;
}

/** SQL of the targets that are not retired, nor is their application. */
export const liveTargets = `SELECT targets.id FROM targets JOIN applications ON applications.id = application_id
  WHERE targets.retired_at IS NULL AND applications.retired_at IS NULL`;

/** SQL of a table of targets, each with its index in the list. */
function sentTargets(targets: readonly RollUpTarget[]): Sql {
  const rows = targets.map(({ area, team, app, env }, index) => ({ index, area, team, app, env }));
  return sql`sent AS (
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS sent (index int, area text, team text, app text, env text)
  )`;
}

const targetOfApp = sql`JOIN applications USING (area, team, app)
  JOIN targets ON application_id = applications.id AND targets.env = sent.env`;

/** SQL of a table with the index in the list, the names and the id of each of these targets that has days. */
export function namedTargets(targets: readonly RollUpTarget[]): Sql {
  return sql`(
    WITH ${sentTargets(targets)}
    SELECT sent.*, roll_up_targets.id
    FROM sent ${targetOfApp} JOIN roll_up_targets ON target_id = targets.id
    UNION ALL
    SELECT sent.*, groups.id
    FROM sent JOIN roll_up_targets AS groups
      ON groups.target_id IS NULL AND groups.area = sent.area AND coalesce(groups.team, '') = coalesce(sent.team, '')
        AND groups.env = sent.env
    WHERE sent.app IS NULL
  )`;
}

/** Creates the targets that have no days yet. An application must have a target in the environment. */
export async function createRollUpTargets(trx: Knex, targets: readonly RollUpTarget[]): Promise<void> {
  const sent = sentTargets(targets);
  await query(trx)`
    WITH ${sent}
    INSERT INTO roll_up_targets (target_id)
    SELECT DISTINCT targets.id FROM sent ${targetOfApp}
    WHERE NOT EXISTS (SELECT FROM roll_up_targets AS known WHERE known.target_id = targets.id)
    ON CONFLICT DO NOTHING
  `;
  await query(trx)`
    WITH ${sent}
    INSERT INTO roll_up_targets (area, team, env)
    SELECT DISTINCT sent.area, sent.team, sent.env FROM sent
    WHERE sent.app IS NULL AND NOT EXISTS (
      SELECT FROM roll_up_targets AS known
      WHERE known.target_id IS NULL AND known.area = sent.area AND coalesce(known.team, '') = coalesce(sent.team, '')
        AND known.env = sent.env
    )
    ON CONFLICT DO NOTHING
  `;
}
