import type { Knex } from "knex";
import type { Subtree } from "../../model/app-name.ts";
import { targetLabels } from "../labels.ts";
import { keepFormerNames, moveGroup } from "./groups.ts";
import { mergeApplications } from "./merge.ts";

/**
 * Gives the applications of the temporary table `moving` their new names; the former names lead to them too. The names
 * must be locked. Stored rows refer to ids, so they need no change.
 *
 * @param hasHistory as of `createScoreStore`
 */
export async function moveNames(trx: Knex, from: Subtree, to: Subtree, hasHistory: boolean): Promise<void> {
  await trx.raw(`
    UPDATE names SET since = now() FROM moving
    WHERE (names.area, names.team, names.app) = (moving.area, moving.team, moving.app)
  `);
  await mergeApplications(trx, hasHistory);
  await trx.raw(`
    UPDATE applications SET area = to_area, team = to_team, app = to_app
    FROM moving WHERE applications.id = moving.id AND staying_id IS NULL
  `);
  await trx.raw(`
    INSERT INTO names (area, team, app, application_id) SELECT to_area, to_team, to_app, id FROM moving WHERE staying_id IS NULL
    ON CONFLICT (area, team, app) DO UPDATE SET since = excluded.since, used_at = NULL
  `);
  await trx.raw(`
    UPDATE targets SET labels = ${targetLabels("targets.env")}
    FROM applications JOIN moving ON applications.id = coalesce(staying_id, moving.id)
    WHERE application_id = applications.id
  `);
  if (from.app === undefined) await moveGroup(trx, from, to);
  else await keepFormerNames(trx, from);
}
