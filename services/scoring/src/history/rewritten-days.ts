import { type AppScore, rollUpAreas, rollUpTeams } from "@maturity/core";
import type { Knex } from "knex";
import { idBy } from "../rollups/groups.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { weightsOf } from "../rollups/weights.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { query } from "../store/sql.ts";
import { asDay } from "../store/utc.ts";
import { storeRollUps, type TargetRollUp, type WrittenDay } from "./day.ts";
import { appsAt } from "./past-scores.ts";

/** The number of applications that one transaction writes again, so that their submissions wait only briefly. */
const batchTargets = 500;

/**
 * Writes roll-ups of the first recorded day again whose past has changed, because evidence of that time came in: those of
 * the applications concerned, and of their teams and areas from what is recorded of all others. It is audited.
 *
 * @param options the rules, and who appears in the audit
 * @returns undefined if there is no such day, or another process is writing it
 */
export async function rewriteNextDay(
  { background }: Pick<Database, "background">,
  { actor, ...rules }: Omit<OrganisationRules, "levels"> & { readonly actor: string },
): Promise<WrittenDay | undefined> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL idle_in_transaction_session_timeout = '60s'");
    const { rows } = await trx.raw(takeTargets);
    const [first]: { day: string; target_id: number }[] = rows;
    if (!first) return undefined;
    const { day } = first;
    const at = new Date(`${day}T00:00:00Z`);
    const targets = rows.map(({ target_id }: { target_id: number }) => target_id);
    const apps = await appsAt(trx, rules, at, targets);
    const terms = { day, is_fresh: false, weights: weightsOf(rules.scorecards), replaces: true };
    await storeRollUps(trx, terms, apps);
    const groups = await groupsOf(trx, day, apps);
    await storeRollUps(trx, terms, groups);
    const details = { day, applications: apps.length };
    await recordAudit(trx, { actor, action: "history.rewrite", target: {}, details });
    return { day, rollUps: apps.length + groups.length };
  });
}

const takeTargets = `
  WITH taken AS (
    DELETE FROM roll_ups_again WHERE (day, target_id) IN (
      SELECT day, target_id FROM roll_ups_again WHERE day = (SELECT min(roll_ups_again.day) FROM roll_ups_again, roll_ups_until WHERE roll_ups_again.day <= roll_ups_until.day)
      LIMIT ${batchTargets}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING day, target_id
  )
  SELECT day::text, target_id FROM taken
`;

const idOfTeam = idBy(["area", "team", "env"]);
const idOfArea = idBy(["area", "env"]);

/** The roll-ups of the teams and areas of these applications, from the recorded ones of all their applications. */
async function groupsOf(trx: Knex, day: string, apps: readonly AppScore[]): Promise<TargetRollUp[]> {
  const changed = JSON.stringify(apps.map(({ area, env }) => ({ area, env })));
  const rows: AppScore[] = await query(trx)`
    SELECT area, team, app, env, score, reported, coalesce(fresh, 0) AS fresh, coalesce(waived, 0) AS waived,
      coalesce(exempt, 0) AS exempt
    FROM roll_up_days JOIN roll_up_targets_by_name ON id = roll_up_days.target_id
    WHERE day = ${asDay(day)} AND app IS NOT NULL
      AND (area, env) IN (SELECT area, env FROM json_to_recordset(${changed}::json) AS changed (area text, env text))
    ORDER BY area, team, app, env
  `;
  const teams = rollUpTeams(rows);
  const changedTeams = new Set(apps.map(idOfTeam));
  const changedAreas = new Set(apps.map(idOfArea));
  return [
    ...teams.filter((team) => changedTeams.has(idOfTeam(team))),
    ...rollUpAreas(teams).filter((area) => changedAreas.has(idOfArea(area))),
  ];
}
