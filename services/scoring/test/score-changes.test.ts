import { createEngine, defineMetric, defineScorecard, type Engine, piecewise } from "@maturity/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScoreStore } from "../src/store/scores.ts";
import { createScoreWriter } from "../src/store/writing/score-writer.ts";
import { changesOf, faultsOfHistory, historyFaults, type RecordedChange } from "./support/changes.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { post, rows } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";
import { withoutLimit } from "./support/without-limit.ts";

const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };

describe.each(engines)("history on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
  });
  afterAll(() => service.stop());

  const recorded = async (area: string): Promise<RecordedChange[]> =>
    (await service.database.knex.raw(changesOf(area))).rows;
  const faults = async () => (await service.database.knex.raw(historyFaults)).rows;
  const row = async (area: string) => (await rows(service, "scores")).find((one) => one.area === area);

  test("records each new value of a score once, and no repeated one", async () => {
    const send = async (high: number) => {
      const raw = { critical: 0, high, medium: 0 };
      const score = { ...target, scorecard: "security", metric: "image_scan", raw, pipeline_id: `run-${high}` };
      expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
      return row("shop");
    };
    const opened = await send(5);
    expect(opened).toMatchObject({ former_score: null, changed_by: "report", changed_at: opened?.reported_at });
    const repeated = await send(5);
    expect(Number(repeated?.reported_at)).toBeGreaterThanOrEqual(Number(opened?.reported_at));
    expect(repeated).toMatchObject({ former_score: null, changed_at: opened?.changed_at });
    await send(10);
    const fallen = await send(10);
    expect(fallen).toMatchObject({ former_score: "50.00", changed_by: "report" });
    await send(0);
    const changes = await recorded("shop");
    expect(changes.map(({ former, score, cause }) => [former, score, cause])).toEqual([
      [null, 50, "report"],
      [50, 25, "report"],
      [25, 100, "report"],
    ]);
    expect(new Set(changes.map(({ scorer }) => scorer))).toEqual(new Set([opened?.scorer]));
    expect(await faults()).toEqual([]);
  });

  test("distinguishes a change of the rules from a change of what was measured", async () => {
    const save = (score: number, raw: object, scorer: string) =>
      saveScores(service.database.knex, [newScore({ area: "rules", score, raw, scorer })]);
    const [one, two] = ["test@1.0.0", "test@2.0.0"];
    await save(40, { high: 1, low: [2] }, one);
    await save(60, { low: [2], high: 1 }, two);
    await save(60, { low: [2], high: 1 }, one);
    await save(60, { high: 2 }, two);
    await save(50, { high: 2 }, two);
    await save(50, { high: 3 }, two);
    expect(await recorded("rules")).toEqual([
      { app: "app", scorer: one, cause: "report", former: null, score: 40 },
      { app: "app", scorer: two, cause: "rules", former: 40, score: 60 },
      { app: "app", scorer: one, cause: "rules", former: 60, score: 60 },
      { app: "app", scorer: two, cause: "report", former: 60, score: 60 },
      { app: "app", scorer: two, cause: "report", former: 60, score: 50 },
    ]);
    expect(await faults()).toEqual([]);
  });

  test("takes several scores of one key in a batch for one report, of the last", async () => {
    const batch = (...scores: number[]) =>
      saveScores(
        service.database.knex,
        scores.map((score) => newScore({ area: "batch", score })),
      );
    await batch(1, 2, 3);
    await batch(4, 3);
    await batch(3, 4, 5);
    expect((await recorded("batch")).map(({ former, score }) => [former, score])).toEqual([
      [null, 3],
      [3, 5],
    ]);
  });

  test("records nothing if it is switched off, and the score still shows its last change", async () => {
    const save = createScoreWriter(service.database.knex, 0);
    for (const score of [100, 50, 50]) await save([newScore({ area: "off", score })]);
    expect(await recorded("off")).toEqual([]);
    expect(await row("off")).toMatchObject({ former_score: "100.00", score: "50.00", changed_by: "report" });
  });
});

test("HISTORY_DAYS=0 switches it off", async () => {
  const service = await useService({ historyDays: 0 });
  const raw = { critical: 0, high: 5, medium: 0 };
  const score = { ...target, scorecard: "security", metric: "image_scan", raw };
  expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
  expect((await query(service.databaseUrl, changesOf("shop"))).rows).toEqual([]);
});

/** A scorecard of one metric, whose score is its input minus the deduction. */
function engineOf(version: string, deduction: number): Engine {
  const metric = defineMetric<{ value: number }>({
    name: "value",
    title: "Value",
    weight: 1,
    inputs: { value: { min: 0, max: 100 } },
    score: piecewise("value", [
      [deduction, 0],
      [100 + deduction, 100],
    ]),
  });
  const card = { name: "own", dimension: "ship", weight: 1, metrics: [metric] } as const;
  return createEngine([defineScorecard({ ...card, package: { name: "@acme/own", version } })]);
}

test("a new version of a scorecard that moves a score is a change by the rules, once reported again", async () => {
  const databaseUrl = await createDatabase("postgres");
  for (const engine of [engineOf("1.0.0", 0), engineOf("1.0.1", 0), engineOf("2.0.0", 10)]) {
    const service = await useService({ databaseUrl, engine });
    const score = { ...target, scorecard: "own", metric: "value", raw: { value: 70 } };
    expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
  }
  const { rows } = await query(databaseUrl, changesOf("shop"));
  expect(rows).toEqual([
    { app: "cart", scorer: "@acme/own@1.0.0", cause: "report", former: null, score: 70 },
    { app: "cart", scorer: "@acme/own@1.0.1", cause: "rules", former: 70, score: 70 },
    { app: "cart", scorer: "@acme/own@2.0.0", cause: "rules", former: 70, score: 60 },
  ]);
});

test("of many writers at once each change is recorded, in one unbroken line from the first value to the last", async () => {
  const databaseUrl = await createDatabase("postgres");
  const writers = await Promise.all(
    Array.from({ length: 3 }, async () => createScoreWriter((await useService({ databaseUrl })).database.knex)),
  );
  await query(
    databaseUrl,
    `
    CREATE TABLE transitions (id int, former numeric, score numeric);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO transitions VALUES (NEW.target_id, OLD.score, NEW.score); RETURN NEW; END';
    CREATE TRIGGER note AFTER UPDATE ON scores FOR EACH ROW WHEN (OLD.score <> NEW.score) EXECUTE FUNCTION note();
    `,
  );
  await Promise.all(
    writers.map(async (writer, index) => {
      const save = withoutLimit(writer);
      for (let round = 0; round < 60; round++) {
        const score = (app: number) => newScore({ area: "race", app: `${app}`, score: (round * 7 + index + app) % 3 });
        await Promise.all([
          save([score(1)]),
          save([score(2), score(1), score(3)]),
          save([score(3), score(2), score(3)]),
        ]);
      }
    }),
  );
  expect(await faultsOfHistory(databaseUrl)).toEqual([]);
  const said = await query(
    databaseUrl,
    "SELECT target_id AS id, former, score, count(*) FROM score_changes WHERE former IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
  );
  const made = await query(
    databaseUrl,
    "SELECT id, former, score, count(*) FROM transitions GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
  );
  expect(said.rows).toEqual(made.rows);
});

test("a report that is not stored, because nobody waits for it any more, leaves no change", async () => {
  const databaseUrl = await createDatabase("postgres");
  const { database } = await useService({ databaseUrl });
  const save = createScoreWriter(database.knex);
  await save([newScore({ area: "gone", score: 1 })]);
  const terms = { lockMs: 500, isPatient: true, signal: AbortSignal.abort(new Error("the caller is gone")) };
  const gone = createScoreStore(database.knex, 400)([[newScore({ area: "gone", score: 2 })]], terms);
  await expect(gone).rejects.toThrow("the caller is gone");
  const { rows } = await query(databaseUrl, changesOf("gone"));
  expect(rows).toMatchObject([{ former: null, score: 1 }]);
  expect(await faultsOfHistory(databaseUrl)).toEqual([]);
});
