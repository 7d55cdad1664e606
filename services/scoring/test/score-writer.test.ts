import { afterAll, beforeAll, expect, test } from "vitest";
import { createScoreWriter } from "../src/store/writing/score-writer.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { startService, type TestService, until } from "./support/service.ts";
import { withoutLimit } from "./support/without-limit.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const stored = async (area: string) =>
  (
    await query(
      service.databaseUrl,
      `SELECT app, score, scores.xmin FROM scores JOIN scores_by_name AS named USING (target_id, metric_id, score) WHERE area = '${area}' ORDER BY app`,
    )
  ).rows;

/** SQL that ends the connections whose statements wait for a lock. */
const endWaiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`;

test("scores that arrive while a statement runs share the next one", async () => {
  const save = withoutLimit(createScoreWriter(service.database.knex));
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => save([newScore({ area: "shared", app: `app-${index}` })])),
  );
  const rows = await stored("shared");
  expect(rows).toHaveLength(100);
  expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(2);
});

test("a statement has 500 rows at the most, but for a batch that has more by itself", async () => {
  const save = withoutLimit(createScoreWriter(service.database.knex));
  const batch = (name: string, size: number) =>
    save(Array.from({ length: size }, (_, index) => newScore({ area: "rows", team: name, app: `app-${index}` })));
  const sizes = { first: 60, a: 300, b: 200, c: 400, d: 101, e: 600, f: 60, g: 440 };
  await Promise.all(Object.entries(sizes).map(([name, size]) => batch(name, size)));
  const { rows } = await query(
    service.databaseUrl,
    "SELECT string_agg(DISTINCT team, ' ' ORDER BY team) AS teams FROM scores JOIN scores_by_name AS named USING (target_id, metric_id) WHERE area = 'rows' GROUP BY scores.xmin::text ORDER BY 1",
  );
  expect(rows.map(({ teams }) => teams)).toEqual(["a", "b", "c", "d", "e", "f g", "first"]);
});

test("of several scores of one key each is stored, and the last one that was sent after all others were acknowledged wins", async () => {
  const save = withoutLimit(createScoreWriter(service.database.knex));
  const scores = Array.from({ length: 50 }, (_, index) => newScore({ area: "same", score: index }));
  await Promise.all(scores.map((score) => save([score])));
  await save([newScore({ area: "same", score: 77 })]);
  expect(await stored("same")).toMatchObject([{ score: "77.00" }]);
  const changes =
    "SELECT count(*)::int AS changes FROM score_changes JOIN scores_by_name USING (target_id) WHERE area = 'same'";
  expect((await query(service.databaseUrl, changes)).rows).toEqual([{ changes: 51 }]);
});

test("each is answered with the time of its commit", async () => {
  const save = createScoreWriter(service.database.knex);
  const [first, second] = await Promise.all(["a", "b"].map((app) => save([newScore({ area: "time", app })])));
  const { rows } = await query(
    service.databaseUrl,
    "SELECT reported_at FROM scores_by_name WHERE area = 'time' ORDER BY app",
  );
  expect(rows.map(({ reported_at }) => reported_at)).toEqual([first?.reportedAt, second?.reportedAt]);
});

test("one that cannot be stored fails alone", async () => {
  const save = createScoreWriter(service.database.knex);
  const scores = [1, 2, 101, 3].map((score) => newScore({ area: "alone", app: `app-${score}`, score }));
  const outcomes = await Promise.allSettled([newScore({ area: "before" }), ...scores].map((score) => save([score])));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect((await stored("alone")).map(({ app }) => app)).toEqual(["app-1", "app-2", "app-3"]);
});

test("a transaction that loses its connection before its commit is repeated", async () => {
  const save = withoutLimit(createScoreWriter(service.database.knex));
  const holder = await useHolder(service.databaseUrl, "LOCK TABLE applications IN SHARE ROW EXCLUSIVE MODE");
  const saved = save([newScore({ area: "repeated", app: "new" })]);
  await until(async () => {
    const { rows } = await query(service.databaseUrl, endWaiting);
    return rows.length > 0;
  });
  await holder.end("ROLLBACK");
  await saved;
  expect((await stored("repeated")).map(({ app }) => app)).toEqual(["new"]);
});

test("a lost database fails those in flight, and the next ones are stored again", async () => {
  const save = createScoreWriter(service.database.knex);
  const holder = await useHolder(service.databaseUrl, "LOCK TABLE scores IN ACCESS EXCLUSIVE MODE");
  const lost = Promise.allSettled(["a", "b", "c"].map((app) => save([newScore({ area: "lost", app })])));
  let isOver = false;
  void lost.then(() => {
    isOver = true;
  });
  await until(async () => {
    await query(service.databaseUrl, endWaiting);
    return isOver;
  });
  await holder.end("ROLLBACK");
  expect((await lost).map(({ status }) => status)).toContain("rejected");
  await save([newScore({ area: "lost", app: "later" })]);
  expect((await stored("lost")).map(({ app }) => app)).toContain("later");
});

test("a score whose row is locked fails alone", async () => {
  const save = createScoreWriter(service.database.knex);
  await save([newScore({ area: "locked", app: "locked", score: 1 })]);
  const holder = await useHolder(
    service.databaseUrl,
    "SELECT 1 FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = 'locked') FOR UPDATE",
  );
  const apps = ["before", "locked", "a", "b"];
  const outcomes = await Promise.allSettled(apps.map((app) => save([newScore({ area: "locked", app, score: 2 })])));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  await holder.end("ROLLBACK");
  await save([newScore({ area: "locked", app: "later" })]);
  const rows = await stored("locked");
  expect(rows.find(({ app }) => app === "locked")).toMatchObject({ score: "1.00" });
});

test("what was refused because it waited too long is not stored later", async () => {
  const save = createScoreWriter(service.database.knex);
  const holder = await useHolder(service.databaseUrl, "LOCK TABLE scores IN ACCESS EXCLUSIVE MODE");
  const scores = Array.from({ length: 20 }, (_, index) => newScore({ area: "late", app: `app-${index}` }));
  const outcomes = await Promise.allSettled(scores.map((score) => save([score])));
  await holder.end("ROLLBACK");
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await save([newScore({ area: "late", app: "later" })]);
  expect((await stored("late")).map(({ app }) => app)).toEqual(["later"]);
});

test("nothing is stored for a caller who goes while others of its group stay", async () => {
  const writer = createScoreWriter(service.database.knex);
  await query(
    service.databaseUrl,
    `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END';
     CREATE TRIGGER linger BEFORE INSERT ON scores FOR EACH ROW WHEN (NEW.raw->>'app' = 'goes') EXECUTE FUNCTION linger()`,
  );
  const lingering = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
  const goes = new AbortController();
  const save = (app: string, signal?: AbortSignal) => writer([newScore({ area: "gone", app, raw: { app } })], signal);
  const saves = [save("first"), save("goes", goes.signal), save("stays")];
  await until(async () => (await query(service.databaseUrl, lingering)).rows.length === 1);
  goes.abort();
  const outcomes = await Promise.allSettled(saves);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await stored("gone")).map(({ app }) => app)).toEqual(["first", "stays"]);
});

test("two writers that store the same keys in other orders do not wait for each other for ever", async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `app-${index}`);
  const saves = [1, 2].map(() => withoutLimit(createScoreWriter(service.database.knex)));
  const orders = [keys, [...keys].reverse()];
  for (let round = 0; round < 10; round++) {
    const saved = saves.flatMap((save, index) => orders[index]?.map((app) => save([newScore({ area: "cross", app })])));
    await Promise.all(saved);
  }
  expect(await stored("cross")).toHaveLength(200);
});
