import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { createProblemWriter } from "../src/store/writing/problem-writer.ts";
import { createScoreWriter } from "../src/store/writing/score-writer.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { createDatabase } from "./support/service.ts";
import { withoutLimit } from "./support/without-limit.ts";

test.each([1, 3])("with DATABASE_POOL_MAX=%i all writes use so many connections and no more", async (max) => {
  const databaseUrl = await createDatabase("postgres");
  const database = openDatabase(databaseUrl, max);
  onTestFinished(() => database.close());
  const saveScores = withoutLimit(createScoreWriter(database.knex));
  const saveProblem = withoutLimit(createProblemWriter(database.knex));
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const singles = numbers(200).map((index) => saveScores([newScore({ app: `app-${index}` })]));
  const batches = numbers(5).map((batch) =>
    saveScores(numbers(1_000).map((index) => newScore({ area: `batch-${batch}`, app: `app-${index}` }))),
  );
  const reports = numbers(50).map((index) =>
    saveProblem({ problem: { ...problem, app: `app-${index}` }, complete: async (_, stored) => stored }),
  );
  await Promise.all([...singles, ...batches, ...reports]);
  const { rows } = await query(
    databaseUrl,
    `SELECT count(*)::int AS connections FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'maturity-service'`,
  );
  expect(rows).toEqual([{ connections: max }]);
});
