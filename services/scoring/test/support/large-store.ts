import { randomBytes } from "node:crypto";
import { insertScores } from "./insert-scores.ts";
import type { TestService } from "./service.ts";

const labelBytes = 20_480;
const batch = 100;

/**
 * Stores scores whose applications have random labels of 20 kB each, so that a scrape is larger than what sockets hold,
 * compressed too. Each score has its first change, as if it had been reported.
 *
 * @param scores a multiple of 100
 */
export async function fillStore({ database }: Pick<TestService, "database">, scores: number): Promise<void> {
  const { background } = database;
  for (let stored = 0; stored < scores; stored += batch) {
    const random = Array.from({ length: batch }, () => randomBytes(labelBytes / 2).toString("hex"));
    const apps = random.map((text) => `('${text.slice(0, 64)}')`);
    const statements = insertScores(
      `SELECT 'large' AS area, 'team' AS team, app, 'prod' AS env, 'security' AS scorecard, 'sast' AS metric,
         50 AS score, '{}'::jsonb AS raw, 'test@1.0.0' AS scorer, NULL AS project_repo
       FROM (VALUES ${apps.join(", ")}) AS apps (app)`,
    );
    await background.transaction(async (trx) => {
      for (const statement of statements) await trx.raw(statement);
    });
    await background.raw(
      `UPDATE targets SET labels = '{area="large",app="' || random || '"'
       FROM json_array_elements_text(?::json) AS random, applications
       WHERE applications.id = application_id AND app = left(random, 64)`,
      [JSON.stringify(random)],
    );
  }
  await background.raw(`
    INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause)
    SELECT target_id, metric_id, changed_at, NULL, score, scorer, changed_by FROM scores_by_name WHERE area = 'large'
    ON CONFLICT DO NOTHING
  `);
  // Autovacuum would do it later, and the order of the rows follows the plan.
  await background.raw("VACUUM ANALYZE");
}
