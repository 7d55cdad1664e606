import { describe, expect, test } from "vitest";
import { keyOf } from "../src/store/key.ts";
import { migrate } from "../src/store/migrate.ts";
import { migrations } from "../src/store/migrations/index.ts";
import { historyFaults } from "./support/changes.ts";
import { createEmptyDatabase, useDatabase } from "./support/empty-database.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { saveScores } from "./support/save-scores.ts";
import { engines, until } from "./support/service.ts";

const before = migrations.filter(({ name }) => name < "005");

/** How the version before this schema stores a score; its copies go on until they are replaced. */
const formerUpsert = `
  INSERT INTO scores AS former
    (area, team, app, env, scorecard, metric, score, raw, scorer, key, labels, reported_at)
  SELECT area, team, app, env, scorecard, metric, score, raw, scorer, key, labels, clock_timestamp()
  FROM json_to_recordset(?::json) AS rows (
    area text, team text, app text, env text, scorecard text, metric text, score numeric, raw jsonb, scorer text,
    key bytea, labels text
  )
  ON CONFLICT (area, key) DO UPDATE SET
    score = excluded.score, raw = excluded.raw, scorer = excluded.scorer,
    reported_at = greatest(excluded.reported_at, former.reported_at)
`;

function formerRow(app: string, score: number): object {
  const one = newScore({ area: "former", app, score });
  const { team, env, scorecard, metric } = one;
  return { ...one, key: keyOf([team, app, env, scorecard, metric]), labels: `{app="${app}"}` };
}

describe.each(engines)("a database of the version without history on %s", (kind) => {
  test("keeps its scores, each with one change at the time of its report, and goes on from there", async () => {
    const database = useDatabase(await createEmptyDatabase(kind));
    const { knex } = database;
    const store = (...rows: object[]) => knex.raw(formerUpsert, [JSON.stringify(rows)]);
    await migrate(database, undefined, before);
    await store(...Array.from({ length: 50 }, (_, index) => formerRow(`${index}`, index)));
    await knex.raw("UPDATE scores SET reported_at = reported_at - interval '3 days' WHERE score < 20");
    const columns = "area, app, score, raw, scorer, reported_at, key, labels";
    const scores = async () => (await knex.raw(`SELECT ${columns} FROM scores ORDER BY score`)).rows;
    const stored = await scores();

    await migrate(database);
    expect(await scores()).toEqual(stored);
    const { rows } = await knex.raw("SELECT at, former, score, cause FROM score_changes ORDER BY score");
    expect(rows).toEqual(
      stored.map(({ reported_at, score }: { reported_at: Date; score: string }) => ({
        ...{ at: reported_at, former: null, score, cause: "report" },
      })),
    );
    expect((await knex.raw(historyFaults)).rows).toEqual([]);

    await store(formerRow("0", 100), formerRow("new", 5));
    await saveScores(
      knex,
      [1, 2, 3].map((app) => newScore({ area: "former", app: `${app}`, score: app === 1 ? 1 : 99 })),
    );
    const later = await knex.raw(`
      SELECT app, former, score_changes.score FROM score_changes JOIN scores ON id = score_id
      WHERE former IS NOT NULL ORDER BY app
    `);
    expect(later.rows).toEqual([
      { app: "2", former: "2.00", score: "99.00" },
      { app: "3", former: "3.00", score: "99.00" },
    ]);
    const ids = await knex.raw("SELECT count(DISTINCT id)::int AS ids, count(*)::int AS rows FROM scores");
    expect(ids.rows).toEqual([{ ids: 51, rows: 51 }]);
  });
});

test("while a long read keeps the change of the schema waiting, scores are still stored", async () => {
  const url = await createEmptyDatabase("postgres");
  const database = useDatabase(url);
  await migrate(database, undefined, before);
  const reader = await useHolder(url, "SELECT * FROM scores");
  const migrated = migrate(database);
  const asks = "SELECT FROM pg_locks WHERE relation = 'scores'::regclass AND mode = 'AccessExclusiveLock'";
  for (let round = 0; round < 3; round++) {
    await until(async () => (await query(url, asks)).rowCount === 1);
    await query(url, formerUpsert.replace("?::json", `'${JSON.stringify([formerRow("busy", round)])}'::json`));
  }
  await reader.end("ROLLBACK");
  await migrated;
  expect((await query(url, "SELECT score FROM scores")).rows).toEqual([{ score: "2.00" }]);
  expect((await query(url, historyFaults)).rows).toEqual([]);
});
