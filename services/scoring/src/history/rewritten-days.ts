import type { AppScore, Average, Rolled, Target } from "@maturity/core";
import { average } from "@maturity/core/wire";
import type { Knex } from "knex";
import { readRulesAt } from "../policy/recorded.ts";
import { idBy } from "../rollups/groups.ts";
import { targetId } from "../rollups/reported-apps.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { weightsOf } from "../rollups/weights.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { liveTargets } from "../store/roll-up-days.ts";
import { query } from "../store/sql.ts";
import { asDay } from "../store/utc.ts";
import { storeRollUps, type TargetRollUp, type WrittenDay } from "./day.ts";
import { appsAt } from "./past-scores.ts";

/** The number of applications that one transaction writes again, so that their submissions wait only briefly. */
const batchTargets = 500;

/**
 * Writes roll-ups of the first recorded day again whose past has changed, because evidence of that time came in: those of
 * the applications concerned, by the rules of that day, and of their teams and areas. It is audited.
 *
 * @param options the rules, if none were ever recorded, and who appears in the audit
 * @returns undefined if there is no such day
 */
export async function rewriteNextDay(
  { background }: Pick<Database, "background">,
  { actor, ...today }: Omit<OrganisationRules, "levels"> & { readonly actor: string },
): Promise<WrittenDay | undefined> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL idle_in_transaction_session_timeout = '60s'");
    // As whoever writes a day: no other instance averages the same teams, and nothing moves meanwhile.
    await trx.raw("SELECT FROM roll_ups_until FOR UPDATE");
    const { rows } = await trx.raw(takeTargets);
    const [first]: { day: string; target_id: number }[] = rows;
    if (!first) return undefined;
    const { day } = first;
    const targets = rows.map(({ target_id }: { target_id: number }) => target_id);
    const rules = (await readRulesAt(trx, day)) ?? today;
    const recorded = await readRecorded(trx, day, targets);
    const formerApps = new Map(recorded.flatMap((row) => (row.app ? [[targetId(row), row] as const] : [])));
    const apps = await appsAt(trx, rules, new Date(`${day}T00:00:00Z`), {
      targets,
      exemptOf: (app) => formerApps.get(targetId(app))?.exempt_metrics,
    });
    const terms = { day, is_fresh: false, weights: weightsOf(rules.scorecards), replaces: true };
    await storeRollUps(trx, terms, apps);
    const groups = groupsOf(recorded, apps);
    await storeRollUps(trx, terms, groups);
    const details = { day, applications: apps.length };
    await recordAudit(trx, { actor, action: "history.rewrite", target: {}, details });
    return { day, rollUps: apps.length + groups.length };
  });
}

/** Those of what is retired or held wait until it is shown again. */
const isShown = `target_id IN (${liveTargets} AND held_since IS NULL)`;

const takeTargets = `
  WITH taken AS (
    DELETE FROM roll_ups_again WHERE (day, target_id) IN (
      SELECT day, target_id FROM roll_ups_again WHERE ${isShown} AND day = (
        SELECT roll_ups_again.day FROM roll_ups_again, roll_ups_until
        WHERE roll_ups_again.day <= roll_ups_until.day AND ${isShown}
        ORDER BY roll_ups_again.day
        LIMIT 1
      )
      LIMIT ${batchTargets}
    )
    RETURNING day, target_id
  )
  SELECT day::text, target_id FROM taken
`;

/** A recorded roll-up. Of a team or an area `app` is empty, of an area `team` too. */
interface Recorded extends Rolled, Target {
  readonly count: number;
  readonly lowest: number;
  readonly exempt_metrics: string;
}

/** Reads what is recorded of a day in the areas of these targets. */
async function readRecorded(trx: Knex, day: string, targets: readonly number[]): Promise<Recorded[]> {
  return query(trx)`
    SELECT area, coalesce(team, '') AS team, coalesce(app, '') AS app, env, score, reported, coalesce(fresh, 0) AS fresh,
      coalesce(waived, 0) AS waived, coalesce(exempt, 0) AS exempt, count, lowest, coalesce(exempt_metrics, '') AS exempt_metrics
    FROM roll_up_days JOIN roll_up_targets_by_name ON id = roll_up_days.target_id
    WHERE day = ${asDay(day)} AND (area, env) IN (
      SELECT area, env FROM targets JOIN applications ON applications.id = application_id
      WHERE targets.id = ANY (${targets}::int[])
    )
    ORDER BY area, team, app, env
  `;
}

/** The roll-ups of the teams and areas of these applications. */
function groupsOf(recorded: readonly Recorded[], apps: readonly AppScore[]): TargetRollUp[] {
  const {
    apps: formerApps = [],
    teams: formerTeams = [],
    areas: formerAreas = [],
  } = Object.groupBy(recorded, ({ team, app }) => (app ? "apps" : team ? "teams" : "areas"));
  const teams = regrouped(formerTeams, formerApps, apps, ["area", "team", "env"]).map((one) => ({ ...one, app: "" }));
  const areas = regrouped(formerAreas, formerTeams, teams, ["area", "env"]);
  return [...teams.map(({ app: _, ...team }) => team), ...areas];
}

/**
 * The roll-ups of the groups of changed members. A group whose recorded roll-up is not that of these members stays as it is:
 * some have moved since, so that its members of that day are unknown.
 */
function regrouped<Field extends keyof Target>(
  groups: readonly Recorded[],
  members: readonly (Rolled & Target)[],
  changed: readonly (Rolled & Target)[],
  fields: readonly Field[],
): (Average & Pick<Target, Field>)[] {
  const idOfGroup = idBy(fields);
  const recorded = new Map(groups.map((group) => [idOfGroup(group), group]));
  const former = Map.groupBy(members, idOfGroup);
  return [...Map.groupBy(changed, idOfGroup)].flatMap(([id, news]) => {
    const before = new Map(former.get(id)?.map((one) => [targetId(one), one]));
    const group = recorded.get(id);
    const after = new Map([...before, ...news.map((one) => [targetId(one), one] as const)]);
    const names = Object.fromEntries(fields.map((field) => [field, news[0]?.[field]])) as Pick<Target, Field>;
    return isOf(group, [...before.values()]) ? [{ ...names, ...average([...after.values()]) }] : [];
  });
}

/** Whether a recorded roll-up is that of these members; without a record they are none. */
function isOf(group: Recorded | undefined, members: readonly Rolled[]): boolean {
  if (!group || members.length !== group.count) return !group && members.length === 0;
  const { score, reported, lowest } = average(members);
  const differs = (one: number, other: number) => Math.abs(one - other) > 1e-9;
  return !differs(score, group.score) && !differs(reported, group.reported) && lowest === group.lowest;
}
