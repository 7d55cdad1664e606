import { expect, test } from "vitest";
import { createProblemWriter } from "../src/store/writing/problem-writer.ts";
import { createScoreWriter } from "../src/store/writing/score-writer.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { post, rows } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";
import { withoutLimit } from "./support/without-limit.ts";

const key = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const score = { ...key, scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

test("two writers of one key never take its time back, and hear what they stored", async () => {
  const databaseUrl = await createDatabase("postgres");
  const instances = [await useService({ databaseUrl }), await useService({ databaseUrl })];
  await query(
    databaseUrl,
    `
    CREATE TABLE times (of text, former timestamptz, reported_at timestamptz);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO times VALUES (TG_TABLE_NAME, OLD.reported_at, NEW.reported_at); RETURN NEW; END';
    CREATE TRIGGER note AFTER UPDATE ON scores FOR EACH ROW EXECUTE FUNCTION note();
    CREATE TRIGGER note AFTER UPDATE ON problems FOR EACH ROW EXECUTE FUNCTION note();
    `,
  );
  await Promise.all(
    instances.map(async ({ database }) => {
      const saveScores = withoutLimit(createScoreWriter(database.knex));
      const saveProblem = withoutLimit(createProblemWriter(database.knex));
      for (let round = 0; round < 100; round++) {
        await Promise.all([
          saveScores([newScore({ area: "race" })]),
          saveProblem({ problem, complete: async (_, stored) => stored }),
        ]);
      }
    }),
  );
  const { rows } = await query(databaseUrl, "SELECT of, count(*) FROM times WHERE reported_at < former GROUP BY of");
  expect(rows).toEqual([]);
});

test.each(engines)("a time that is later than the clock stays, and is what the answer shows (%s)", async (engine) => {
  const service = await useService({ databaseUrl: await createDatabase(engine) });
  const other = { ...score, env: "staging" };
  const { body: first } = await post(service, "/scores", { scores: [score, other] });
  const ahead = "SET reported_at = reported_at + interval '1 hour'";
  await service.database.knex.raw(
    `UPDATE scores ${ahead} WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE env = 'prod')`,
  );
  const later = new Date(Date.parse(String(first.reported_at)) + 3_600_000).toISOString();
  expect((await post(service, "/score", score)).body).toMatchObject({ reported_at: later });
  expect((await post(service, "/scores", { scores: [other, score] })).body).toMatchObject({ reported_at: later });
  const times = (await rows(service, "scores")).map(({ env, reported_at }) => [env, reported_at]);
  expect(Object.fromEntries(times).prod).toEqual(new Date(later));
  expect(Number(Object.fromEntries(times).staging)).toBeLessThan(Date.parse(later));

  await post(service, "/problem/scan-result", problem);
  await post(service, "/problem/scan-result", { ...problem, count: 0, details: [] });
  await service.database.knex.raw(`UPDATE problems ${ahead}`);
  const [resolved] = JSON.parse(JSON.stringify(await rows(service, "problems")));
  const { body } = await post(service, "/problem/scan-result", problem);
  const at = resolved.reported_at;
  expect(body).toMatchObject({ reported_at: at, opened_at: at });
});
