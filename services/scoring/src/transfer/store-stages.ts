import { targetFields } from "@maturity/core/wire";
import type { Knex } from "knex";
import type { Unregistered } from "../model/unregistered.ts";
import { closingLabels, targetLabels } from "../store/labels.ts";
import { storeCampaigns } from "./campaign-areas.ts";
import { columnsOf, kinds, type TableName, tableNames } from "./kinds.ts";
import { appTables, envTables } from "./stages.ts";

/** Copies the staged rows into the store. Returns the number of rows of each table. */
export async function storeStages(trx: Knex, unregistered: Unregistered): Promise<Record<TableName, number>> {
  for (const statement of [insertApplications(unregistered), ...statements]) await trx.raw(statement);
  const counts = tableNames.map((table) => `(SELECT count(*)::int FROM imported_${table}) AS ${table}`);
  const { rows } = await trx.raw(`SELECT ${counts.join(", ")}`);
  return rows[0];
}

const app = "area, team, app";

/** SQL of the applications of all rows. */
const applications = appTables
  .map((table) => `SELECT ${app} FROM imported_${table} WHERE app IS NOT NULL`)
  .concat("SELECT to_area, to_team, to_app FROM imported_former_names WHERE to_app IS NOT NULL")
  .join(" UNION ");

const targets = envTables
  .map((table) => `SELECT ${app}, env FROM imported_${table} WHERE app IS NOT NULL`)
  .join(" UNION ");

const ofTarget = `JOIN applications USING (${app})
  JOIN targets ON (application_id, targets.env) = (applications.id, one.env)`;
const ofMetric = "JOIN metrics USING (scorecard, metric)";

/** The columns of a table besides its key, or besides the given names. */
function valueColumns(table: TableName, names = kinds[table].key): readonly string[] {
  return columnsOf(table).filter((column) => !names.includes(column));
}

const listed = (columns: readonly string[]) => columns.join(", ");
const read = (columns: readonly string[]) => columns.map((column) => `one.${column}`).join(", ");

const problem = ["problem_type", ...valueColumns("problems")];
const change = valueColumns("score_changes", kinds.scores.key);
const day = valueColumns("roll_up_days", targetFields);
const waiver = valueColumns("waivers", ["area", "team", "app"]);

/** SQL of the time since which an imported application is held. */
const heldSince: Readonly<Record<Unregistered, string>> = {
  accept: "NULL",
  hold: "CASE WHEN registered_at IS NULL THEN coalesce(held_since, now()) END",
  refuse: "held_since",
};

function insertApplications(unregistered: Unregistered): string {
  const alike = listed(valueColumns("apps").filter((column) => column !== "held_since" && column !== "reason"));
  return `WITH made AS (
     INSERT INTO applications (${app}, ${alike}, held_since, retired_because)
     SELECT ${app}, ${alike}, ${heldSince[unregistered]}, reason
     FROM (${applications}) AS known LEFT JOIN imported_apps USING (${app})
     RETURNING id, area, team, app
   )
   INSERT INTO names (${app}, application_id) SELECT ${app}, id FROM made`;
}

const statements: readonly string[] = [
  `INSERT INTO names (${app}, application_id, since, used_at)
   SELECT one.area, one.team, one.app, applications.id, moved_at, used_at
   FROM imported_former_names AS one
     JOIN applications ON (applications.area, applications.team, applications.app) = (to_area, to_team, to_app)`,
  `INSERT INTO former_groups (area, team, to_area, to_team, moved_at)
   SELECT area, coalesce(team, ''), to_area, coalesce(to_team, ''), moved_at FROM imported_former_names WHERE app IS NULL`,
  `INSERT INTO targets (application_id, env, labels, retired_at, retired_because)
   SELECT applications.id, known.env, ${targetLabels("known.env")}, gone.retired_at, gone.reason
   FROM (${targets}) AS known JOIN applications USING (${app})
     LEFT JOIN imported_retired_envs AS gone USING (${app}, env)`,
  `INSERT INTO metrics (scorecard, metric, labels)
   SELECT DISTINCT scorecard, metric, ${closingLabels({ scorecard: "scorecard", metric: "metric" })} FROM imported_scores
   ON CONFLICT DO NOTHING`,
  `INSERT INTO scores (target_id, metric_id, ${listed(valueColumns("scores"))})
   SELECT targets.id, metrics.id, ${read(valueColumns("scores"))} FROM imported_scores AS one ${ofTarget} ${ofMetric}`,
  `INSERT INTO problems (target_id, ${listed(problem)})
   SELECT targets.id, ${read(problem)} FROM imported_problems AS one ${ofTarget}`,
  `INSERT INTO score_changes (target_id, metric_id, ${listed(change)})
   SELECT targets.id, metrics.id, ${read(change)} FROM imported_score_changes AS one ${ofTarget} ${ofMetric}
   ORDER BY at`,
  `INSERT INTO score_confirmations (target_id, metric_id, at)
   SELECT targets.id, metrics.id, at FROM imported_score_confirmations AS one ${ofTarget} ${ofMetric} ORDER BY at`,
  `INSERT INTO roll_up_targets (target_id, area, team, env)
   SELECT DISTINCT targets.id, NULL, NULL, NULL FROM imported_roll_up_days AS one ${ofTarget}
   UNION ALL
   SELECT DISTINCT NULL::int, area, team, env FROM imported_roll_up_days WHERE app IS NULL`,
  `INSERT INTO roll_up_days (target_id, ${listed(day)})
   SELECT named.id, ${read(day)}
   FROM imported_roll_up_days AS one JOIN roll_up_targets_by_name AS named
     ON (named.area, coalesce(named.team, ''), coalesce(named.app, ''), named.env)
       = (one.area, coalesce(one.team, ''), coalesce(one.app, ''), one.env)
   ORDER BY day, named.id`,
  `INSERT INTO roll_ups_again (day, target_id)
   SELECT day, targets.id FROM imported_roll_ups_again AS one ${ofTarget}
   UNION
   SELECT newest.day + later, scored.id
   FROM (SELECT max(day) AS day FROM imported_roll_up_days) AS newest, roll_ups_until,
     generate_series(1, roll_ups_until.day - newest.day) AS later,
     (SELECT DISTINCT targets.id FROM imported_scores AS one ${ofTarget}) AS scored`,
  `INSERT INTO waivers (application_id, area, team, ${listed(waiver)})
   SELECT applications.id, CASE WHEN one.app IS NULL THEN one.area END, CASE WHEN one.app IS NULL THEN one.team END,
     ${read(waiver)}
   FROM imported_waivers AS one LEFT JOIN applications USING (${app})`,
  storeCampaigns,
  `INSERT INTO campaign_members (campaign_id, target_id, joined, met_on)
   SELECT campaign_id, targets.id, joined, met_on FROM imported_campaign_members AS one ${ofTarget}`,
  `INSERT INTO campaign_days (${listed(columnsOf("campaign_days"))})
   SELECT ${listed(columnsOf("campaign_days"))} FROM imported_campaign_days`,
];
