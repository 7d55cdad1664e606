import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NewScore } from "../src/store/new-score.ts";
import { createProblemWriter } from "../src/store/writing/problem-writer.ts";
import { createScoreWriter, type ScoreWriter } from "../src/store/writing/score-writer.ts";
import { useHolder } from "./support/holder.ts";
import { newScore, storedScores } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { startService, type TestService } from "./support/service.ts";
import { withoutLimit } from "./support/without-limit.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const apps = (count: number) => Array.from({ length: count }, (_, index) => `app-${index}`);

/** Is the promise still without an outcome? */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const nothing = Symbol("nothing");
  return (await Promise.race([promise, Promise.resolve(nothing)])) === nothing;
}

/** The ways in which another transaction holds the row of `app-0` … of an area. */
const holds: Readonly<Record<string, (area: string, count: number) => string>> = {
  "that are locked": (area, count) => `
    SELECT 1 FROM scores WHERE target_id IN (
      SELECT target_id FROM scores_by_name WHERE area = '${area}' AND app = ANY ('{${apps(count)}}')
    ) FOR UPDATE`,
  "that another transaction inserts": (area, count) => `
    DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = '${area}');
    COMMIT;
    BEGIN;
    INSERT INTO scores (target_id, metric_id, score, raw, scorer)
    SELECT target_id, metric_id, 77, raw, scorer
    FROM kept WHERE area = '${area}' AND app = ANY ('{${apps(count)}}')`,
};

/** Stores 100 scores of an area, and has another transaction hold the first of them. */
async function useHeld(area: string, how: string, count: number) {
  const writer = createScoreWriter(service.database.knex);
  await withoutLimit(writer)(apps(100).map((app) => newScore({ area, app, score: 1 })));
  await query(service.databaseUrl, "CREATE TABLE IF NOT EXISTS kept AS TABLE scores_by_name WITH NO DATA");
  await query(service.databaseUrl, `INSERT INTO kept SELECT * FROM scores_by_name WHERE area = '${area}'`);
  const holder = await useHolder(service.databaseUrl, holds[how]?.(area, count) ?? "");
  const saveBy =
    (save: ScoreWriter) =>
    (...scores: Partial<NewScore>[]) =>
      save(scores.map((one) => newScore({ area, ...one })));
  return { holder, save: saveBy(withoutLimit(writer)), saveInTime: saveBy(writer) };
}

describe.each(Object.keys(holds))("rows %s", (how) => {
  test.each(["COMMIT", "ROLLBACK"] as const)("wait for its %s and keep nobody else waiting", async (end) => {
    const area = `wait ${how} ${end}`;
    const { holder, save } = await useHeld(area, how, 20);
    const held = apps(20).map((app) => save({ app, score: 2 }));
    await Promise.all(
      apps(100)
        .slice(20)
        .map((app) => save({ app, score: 3 })),
    );
    for (const one of held) expect(await isPending(one)).toBe(true);
    await holder.end(end);
    await Promise.all(held);
    expect(Object.values(await storedScores(service.databaseUrl, area)).sort()).toEqual([
      ...Array(20).fill(2),
      ...Array(80).fill(3),
    ]);
  });

  test("are all stored after it, batches too, and what came after an acknowledged one stands", async () => {
    const area = `order ${how}`;
    const { holder, save } = await useHeld(area, how, 1);
    const done: string[] = [];
    const note = (name: string, saved: Promise<unknown>) => saved.then(() => done.push(name));
    const saved = [
      note("held", save({ app: "app-0", score: 10 })),
      note("batch", save({ app: "app-0", score: 11 }, { app: "app-1", score: 11 }, { app: "app-2", score: 11 })),
      note("behind the batch", save({ app: "app-1", score: 12 })),
      note("another batch behind it", save({ app: "app-2", score: 13 }, { app: "app-3", score: 13 })),
      note("last", save({ app: "app-0", score: 14 })),
      note("elsewhere", save({ app: "app-4", score: 15 })),
    ];
    await saved.at(-1);
    expect(done).not.toContain("held");
    await holder.end("COMMIT");
    await Promise.all(saved);
    await save({ app: "app-0", score: 16 });
    const {
      "app-0": held,
      "app-1": behind,
      "app-2": shared,
      "app-3": other,
      "app-4": elsewhere,
    } = await storedScores(service.databaseUrl, area);
    expect([held, other, elsewhere]).toEqual([16, 13, 15]);
    expect([11, 12]).toContain(behind);
    expect([11, 13]).toContain(shared);
  });

  test("are refused in the end, alone, and not stored later", async () => {
    const area = `refused ${how}`;
    const { holder, save, saveInTime } = await useHeld(area, how, 2);
    const outcomes = await Promise.allSettled(apps(4).map((app) => saveInTime({ app, score: 2 })));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
    await holder.end("ROLLBACK");
    await save({ app: "last" });
    const { "app-0": first = 1, "app-1": second = 1 } = await storedScores(service.databaseUrl, area);
    expect([first, second]).toEqual([1, 1]);
  });
});

test("no more than 500 wait for locked rows, and others still have their turn", async () => {
  const { holder, save } = await useHeld("many", "that are locked", 1);
  const saves = Array.from({ length: 700 }, (_, index) => save({ app: "app-0", score: index % 100 }));
  const outcomes = Promise.allSettled(saves);
  await Promise.any(
    saves.map((saved) =>
      saved.then(
        () => Promise.reject(new Error("stored")),
        () => "refused",
      ),
    ),
  );
  await save({ app: "app-1", score: 5 });
  await holder.end("ROLLBACK");
  const refused = (await outcomes).filter((one) => "reason" in one && /500 reports wait/.test(one.reason.message));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(200);
  expect(await storedScores(service.databaseUrl, "many")).toMatchObject({ "app-1": 5 });
});

test("locked problems take no connections from others", async () => {
  const { knex } = service.database;
  const saveProblem = withoutLimit(createProblemWriter(knex));
  const save = (app: string, count: number) =>
    saveProblem({ problem: { ...problem, app, count, details: [] }, complete: async (_, stored) => stored });
  await Promise.all(apps(40).map((app) => save(app, 1)));
  const ofApps = `SELECT id FROM problems_by_name WHERE app = ANY ('{${apps(30)}}')`;
  const lock = `SELECT 1 FROM problems WHERE id IN (${ofApps}) FOR UPDATE`;
  const holder = await useHolder(service.databaseUrl, lock);
  const held = apps(30).flatMap((app) => [save(app, 2), save(app, 3)]);
  await Promise.all(
    apps(40)
      .slice(30)
      .map((app) => save(app, 4)),
  );
  await createScoreWriter(knex)([newScore({ area: "beside locked problems" })]);
  for (const one of held) expect(await isPending(one)).toBe(true);
  await holder.end("ROLLBACK");
  await Promise.all(held);
  const { rows } = await query(
    service.databaseUrl,
    "SELECT count, count(*)::int AS rows FROM problems_by_name GROUP BY count ORDER BY count",
  );
  const byCount = Object.fromEntries(rows.map(({ count, rows }) => [count, rows]));
  const { 2: first = 0, 3: second = 0, 4: free, ...none } = byCount;
  expect([first + second, free, none]).toEqual([30, 10, {}]);
});
