import { organisation } from "../../../services/scoring/bench/organisation.ts";
import { openDatabase } from "../../../services/scoring/src/store/database.ts";
import { createRollUpTargets, type RollUpTarget } from "../../../services/scoring/src/store/roll-up-days.ts";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";

const days = 90;

/** Records 90 days of the areas, teams and applications of the bench, so that the page has lines and changes to show. */
export async function recordDays(databaseUrl: string, scores: number): Promise<void> {
  const targets = new Map<string, RollUpTarget>();
  for (const { area, team, app, env } of organisation(scores)) {
    for (const target of [
      { area, env },
      { area, team, env },
      { area, team, app, env },
    ]) {
      targets.set(JSON.stringify(target), target);
    }
  }
  const database = openDatabase(databaseUrl, 1);
  await database.background.transaction(async (trx) => {
    await trx.raw("SET LOCAL session_replication_role = replica"); // checks no key of another table
    await createRollUpTargets(trx, [...targets.values()]);
    await trx.raw(
      `INSERT INTO roll_up_days (target_id, day, weights, count, score, reported, fresh, lowest)
       SELECT id, current_date - ago, 0, CASE WHEN roll_up_targets.target_id IS NULL THEN 20 END, 50 + 10 * sin(id + ago), 1, 0.9,
         CASE WHEN roll_up_targets.target_id IS NULL THEN 12.5 END
       FROM roll_up_targets, generate_series(0, ${days}) AS ago
       WHERE roll_up_targets.target_id IS NULL OR ago = 30 OR id % 100 = 0`,
    );
  });
  await database.background.raw("ANALYZE roll_up_targets, roll_up_days");
  await database.close();
}

/** Adds as many applications again to the environment prod, each with one metric. */
export async function addApplications(databaseUrl: string, scores: number): Promise<void> {
  const database = openDatabase(databaseUrl, 1);
  let rows = [];
  let index = 0;
  for (const score of organisation(2 * scores)) {
    if (index++ < scores || score.env !== "prod" || score.metric !== "image_scan") continue;
    rows.push({ ...score, raw: { critical: 0, high: 3, medium: 12 }, scorer: "@maturity/security@1.0.0" });
    if (rows.length < 1_000) continue;
    await saveScores(database.knex, rows);
    rows = [];
  }
  if (rows.length > 0) await saveScores(database.knex, rows);
  await database.close();
}
