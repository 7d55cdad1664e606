import type { Knex } from "knex";
import { type AppName, shownName } from "../model/app-name.ts";
import { keySql, labelsSql } from "../store/made-columns.ts";
import { maxSteps } from "../store/names.ts";
import type { StageName } from "./stages.ts";
import { states } from "./tables.ts";

/** The stages that hold names of applications; those of days and waivers may end at the team or the area. */
const named: readonly StageName[] = [
  ...(["scores", "problems", "score_changes", "roll_up_days", "waivers", "apps", "retired_apps"] as const),
];

/**
 * Gives the collected rows the names that their applications have here, as a report gets it. Returns what was renamed, as
 * sentences.
 */
export async function renameStages(trx: Knex): Promise<string[]> {
  const names = named
    .map((stage) => `SELECT area, coalesce(team, '') AS team, coalesce(app, '') AS app FROM imported_${stage}`)
    .join(" UNION ");
  await trx.raw(`
    CREATE TEMP TABLE imported_names ON COMMIT DROP AS
    SELECT area, team, app, area AS to_area, team AS to_team, app AS to_app FROM (${names}) AS known
  `);
  for (let step = 0; (await follow(trx)) > 0; step++) {
    if (step === maxSteps) throw new Error("the aliases do not end");
  }
  await trx.raw("DELETE FROM imported_names WHERE (area, team, app) = (to_area, to_team, to_app)");
  const { rows }: { rows: (AppName & { to_area: string; to_team: string; to_app: string })[] } = await trx.raw(
    `SELECT * FROM imported_names ORDER BY area, team, app`,
  );
  if (rows.length === 0) return [];
  await trx.raw("ANALYZE imported_names");
  for (const stage of named) await renameStage(trx, stage);
  return rows
    .filter(({ app }) => app !== "")
    .map((row) => {
      const now = shownName({ area: row.to_area, team: row.to_team, app: row.to_app });
      return `stored ${shownName(row)} as ${now}, its name here`;
    });
}

/** Goes one alias further: that of the application counts before that of its team, and that of its team before its area's. */
async function follow(trx: Knex): Promise<number> {
  const { rowCount } = await trx.raw(`
    UPDATE imported_names AS one
    SET to_area = step.to_area, to_team = coalesce(nullif(step.to_team, ''), one.to_team),
      to_app = coalesce(nullif(step.to_app, ''), one.to_app)
    FROM (
      SELECT DISTINCT ON (reached.area, reached.team, reached.app)
        reached.area, reached.team, reached.app, alias.to_area, alias.to_team, alias.to_app
      FROM imported_names AS reached JOIN app_aliases AS alias
        ON alias.area = reached.to_area
          AND (alias.team, alias.app) IN (('', ''), (reached.to_team, ''), (reached.to_team, reached.to_app))
      ORDER BY reached.area, reached.team, reached.app, alias.app = '', alias.team = ''
    ) AS step
    WHERE (one.area, one.team, one.app) = (step.area, step.team, step.app)
  `);
  return rowCount;
}

/** What is made of the names is made anew. */
async function renameStage(trx: Knex, stage: StageName): Promise<void> {
  await trx.raw(`
    UPDATE imported_${stage} AS one SET area = to_area, team = nullif(to_team, ''), app = nullif(to_app, '')
    FROM imported_names AS name
    WHERE (one.area, coalesce(one.team, ''), coalesce(one.app, '')) = (name.area, name.team, name.app)
  `);
  const renamed = "(area, team, app) IN (SELECT to_area, to_team, to_app FROM imported_names)";
  if (stage === "scores" || stage === "problems") {
    const { key, labels } = states[stage];
    const series = labelsSql(Object.fromEntries(labels.map((name) => [name, name])));
    await trx.raw(`UPDATE imported_${stage} SET key = ${keySql(key)}, labels = ${series} WHERE ${renamed}`);
  } else if (stage === "score_changes") {
    await trx.raw(`UPDATE imported_${stage} SET key = ${keySql(states.scores.key)} WHERE ${renamed}`);
  } else if (stage === "roll_up_days") {
    await trx.raw(`
      UPDATE imported_${stage} SET key = CASE
        WHEN team IS NULL THEN ${keySql(["env"])}
        WHEN app IS NULL THEN ${keySql(["team", "env"])}
        ELSE ${keySql(["team", "app", "env"])}
      END
      WHERE (area, coalesce(team, ''), coalesce(app, '')) IN (SELECT to_area, to_team, to_app FROM imported_names)
    `);
  }
}
