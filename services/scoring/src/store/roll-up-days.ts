import type { Knex } from "knex";

/** The target of a roll-up: an area, a team or an application, in one environment. */
export interface RollUpTarget {
  readonly area: string;
  readonly team?: string | undefined;
  readonly app?: string | undefined;
  readonly env: string;
}

const sent =
  "sent AS (SELECT * FROM json_to_recordset(?::json) AS sent (index int, area text, team text, app text, env text))";

const targetOfApp = `JOIN applications USING (area, team, app)
  JOIN targets ON application_id = applications.id AND targets.env = sent.env`;

/** SQL of a table with the index, the names and the id of each sent target that has days. It takes the value that `targetsValue` makes. */
export const namedTargets: string = `(
  WITH ${sent}
  SELECT sent.*, roll_up_targets.id
  FROM sent ${targetOfApp} JOIN roll_up_targets ON target_id = targets.id
  UNION ALL
  SELECT sent.*, groups.id
  FROM sent JOIN roll_up_targets AS groups
    ON groups.target_id IS NULL AND groups.area = sent.area AND coalesce(groups.team, '') = coalesce(sent.team, '')
      AND groups.env = sent.env
  WHERE sent.app IS NULL
)`;

/** The value that `namedTargets` takes: the targets in JSON, each with its index in the list. */
export function targetsValue(targets: readonly RollUpTarget[]): string {
  return JSON.stringify(targets.map(({ area, team, app, env }, index) => ({ index, area, team, app, env })));
}

/** Creates the targets that have no days yet. An application must have a target in the environment. */
export async function createRollUpTargets(trx: Knex, targets: readonly RollUpTarget[]): Promise<void> {
  const value = targetsValue(targets);
  await trx.raw(
    `WITH ${sent}
     INSERT INTO roll_up_targets (target_id)
     SELECT DISTINCT targets.id FROM sent ${targetOfApp}
     WHERE NOT EXISTS (SELECT FROM roll_up_targets AS known WHERE known.target_id = targets.id)
     ON CONFLICT DO NOTHING`,
    [value],
  );
  await trx.raw(
    `WITH ${sent}
     INSERT INTO roll_up_targets (area, team, env)
     SELECT DISTINCT sent.area, sent.team, sent.env FROM sent
     WHERE sent.app IS NULL AND NOT EXISTS (
       SELECT FROM roll_up_targets AS known
       WHERE known.target_id IS NULL AND known.area = sent.area AND coalesce(known.team, '') = coalesce(sent.team, '')
         AND known.env = sent.env
     )
     ON CONFLICT DO NOTHING`,
    [value],
  );
}
