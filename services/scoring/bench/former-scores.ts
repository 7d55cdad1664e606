import { demoMetrics, formerEngine } from "@maturity/demo";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import type { NewScore } from "../src/store/new-score.ts";
import { saveScores } from "../test/support/save-scores.ts";
import { organisation } from "./organisation.ts";

/**
 * Fills an empty database with so many scores of a former version, by which one metric of 15 scores otherwise. So a replay
 * has something to do.
 */
export async function fillFormer(databaseUrl: string, scores: number): Promise<void> {
  const database = openDatabase(databaseUrl, 1);
  await migrate(database);
  let batch: NewScore[] = [];
  for (const score of madeUp(scores)) {
    if (batch.push(score) < 1_000) continue;
    await saveScores(database.knex, batch);
    batch = [];
  }
  if (batch.length > 0) await saveScores(database.knex, batch);
  await database.close();
}

function* madeUp(scores: number): Generator<NewScore> {
  let index = 0;
  for (const { score: _, ...key } of organisation(scores)) {
    const raw = demoMetrics[key.scorecard]?.[key.metric]?.raw(((index++ * 37) % 101) / 100) ?? {};
    const { score, scorer } = formerEngine.score(key.scorecard, key.metric, raw);
    yield { ...key, raw, score, scorer };
  }
}
