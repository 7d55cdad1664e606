import { randomInt } from "node:crypto";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeDays } from "../src/history/days.ts";
import { prune } from "../src/history/prune.ts";
import { dueDay, missDays } from "./support/days.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, startService, type TestService } from "./support/service.ts";

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));

const dayMs = 86_400_000;

/** Milliseconds before now, as RFC 3339. */
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const submission = (app: string, criticals: number, measured_at?: string) => ({
  ...{ area: "shop", team: "checkout", app, env: "prod", scorecard: "security", metric: "sast" },
  raw: { critical: criticals, high: 0, medium: 0, low: 0 },
  ...(measured_at && { measured_at }),
});

describe.each(engines)("the time of measurement on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await missDays(service.database.knex, 20);
    await work();
  });
  afterAll(() => service.stop());

  const work = () =>
    writeDays({
      ...{ database: service.database, scorecards: shippedEngine.scorecards, historyDays: 400, actor: "test" },
      ...{ signal: new AbortController().signal, logger: pino({ level: "silent" }) },
    });

  /** All that is stored about an application, but for the time of the reports. */
  const storedOf = async (app: string) => {
    const { rows: scores } = await service.database.knex.raw(
      `SELECT scores.score, scores.measured_at, scores.changed_at, scores.former_score, former_at
       FROM scores JOIN scores_by_name AS named USING (target_id, metric_id) WHERE app = ?`,
      [app],
    );
    const { rows: changes } = await service.database.knex.raw(
      `SELECT at, score_changes.former_at, former, score_changes.score FROM score_changes
       JOIN scores_by_name USING (target_id, metric_id) WHERE app = ? ORDER BY at`,
      [app],
    );
    const { rows: days } = await service.database.knex.raw(
      `SELECT day::text, score FROM roll_up_days JOIN roll_up_targets_by_name ON id = roll_up_days.target_id
       WHERE app = ? ORDER BY day`,
      [app],
    );
    return { scores, changes, days };
  };

  test("counts for the age, and a result that is older than the stored one never replaces it", async () => {
    const newer = await post(service, "/score", submission("older", 1, ago(3_600_000)));
    expect(newer.body).toMatchObject({ stored: "current" });
    const older = await post(service, "/score", submission("older", 5, ago(7_200_000)));
    expect(older).toMatchObject({ status: 200, body: { stored: "history" } });
    const { scores, changes } = await storedOf("older");
    expect(Number(scores[0]?.score)).toBe((newer.body as { score: number }).score);
    expect(changes.map(({ score }: { score: number }) => Number(score))).toEqual([
      (older.body as { score: number }).score,
      (newer.body as { score: number }).score,
    ]);
    expect((await post(service, "/score", submission("older", 2))).body).toMatchObject({ stored: "current" });
  });

  test.each([
    ["more than 5 minutes ahead", () => ago(-360_000), /5 minutes ahead/],
    ["older than the history", () => ago(401 * dayMs), /within the days of the history/],
    ["without a zone", () => "2026-01-31T12:00:00", /a time with its zone/],
    ["on a day that does not exist", () => "2026-02-31T12:00:00Z", /a time with its zone/],
    ["16 hours from UTC", () => "2026-01-31T12:00:00+16:00", /a time with its zone/],
    ["of no year", () => "0000-01-01T00:00:00Z", /a time with its zone/],
    ["a number", () => 1_700_000_000 as unknown as string, /must be a text/],
  ])("is refused when it is %s, and nothing is stored", async (_, time, message) => {
    const wrong = submission("refused", 1, time());
    const { status, body } = await post(service, "/score", wrong);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { details: [{ path: "measured_at", message: expect.stringMatching(message) }] },
    });
    const batch = await post(service, "/scores", { scores: [submission("refused", 1), wrong] });
    expect(batch.body).toMatchObject({ details: [{ path: "scores[1].measured_at" }] });
    expect((await storedOf("refused")).scores).toEqual([]);
  });

  test("leads to the same scores, history and days, in whatever order and requests results arrive", async () => {
    const results = fc.array(
      fc.record({ criticals: fc.integer({ min: 0, max: 2 }), age: fc.integer({ min: 0, max: 18 * 8 }) }),
      { minLength: 1, maxLength: 14, size: "max" },
    );
    const orders = results.chain((all) =>
      fc.record({
        all: fc.constant(all),
        shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
        sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: all.length, maxLength: all.length }),
      }),
    );
    let number = 0;
    await fc.assert(
      fc.asyncProperty(orders, async ({ all, shuffled, sizes }) => {
        // The youngest are of the last hours, each time the one that arrives later counts.
        const now = Date.now() - 60_000;
        const [ordered, other] = [`ordered ${++number}`, `shuffled ${number}`];
        const of = (app: string, { criticals, age }: (typeof all)[number]) =>
          submission(app, criticals, new Date(now - age * 3 * 3_600_000).toISOString());
        const latest = [...new Map(shuffled.map((one) => [one.age, one])).values()];
        for (const one of latest.toSorted((a, b) => b.age - a.age)) {
          expect(await post(service, "/score", of(ordered, one))).toMatchObject({ status: 200 });
        }
        for (let first = 0, part = 0; first < shuffled.length; first += sizes[part++] ?? 1) {
          const sent = shuffled.slice(first, first + (sizes[part] ?? 1)).map((one) => of(other, one));
          const answer = await (sent.length === 1
            ? post(service, "/score", sent[0] as object)
            : post(service, "/scores", { scores: sent }));
          expect(answer.status).toBe(200);
        }
        await work();
        expect(await storedOf(other)).toEqual(await storedOf(ordered));
      }),
      { numRuns: 15, seed },
    );
  }, 240_000);

  test("keeps a result that confirms an earlier one, and parts from it later", async () => {
    // The changes after it are not read with it.
    const results = [
      [1, 2],
      [2, 4],
      [3, 4.5],
      [3, 5],
      [0, 10],
      [3, 9],
      [0, 7],
    ] as const;
    for (const [criticals, days] of results)
      await post(service, "/score", submission("parted", criticals, ago(days * dayMs)));
    expect(await changesOf("parted")).toEqual([
      [10, 100],
      [9, 12.5],
      [7, 100],
      [5, 12.5],
      [4, 25],
      [2, 50],
    ]);
  });

  test.each([false, true])(
    "of a month in one request is all in the history, also where it ends as it began (%s)",
    async (isReported) => {
      const app = `a month ${isReported}`;
      if (isReported) await post(service, "/score", submission(app, 0));
      const criticals = [0, 0, 3, 2, 2, 1, 0];
      const scores = criticals.map((count, index) => submission(app, count, ago((criticals.length - index) * dayMs)));
      expect(await post(service, "/scores", { scores })).toMatchObject({ status: 200 });
      const { changes } = await storedOf(app);
      expect(changes.map(({ score }: { score: unknown }) => Number(score))).toEqual([100, 12.5, 25, 50, 100]);
    },
  );

  /** The scores of an application with the age of their changes in days. */
  const changesOf = async (app: string) =>
    (await storedOf(app)).changes.map(({ at, score }: { at: Date; score: unknown }) => [
      Math.round((Date.now() - at.getTime()) / (dayMs / 4)) / 4,
      Number(score),
    ]);

  test("of results that state none, the last of each day ends what a result of the past changes", async () => {
    const { knex } = service.database;
    for (const daysLater of [0, 2, 3, 0]) {
      const by = `- interval '${daysLater} days'`;
      const own = "target_id IN (SELECT target_id FROM scores_by_name WHERE app = 'undated')";
      await knex.raw(`UPDATE scores SET reported_at = reported_at ${by}, changed_at = changed_at ${by} WHERE ${own}`);
      for (const table of ["score_changes", "score_confirmations"])
        await knex.raw(`UPDATE ${table} SET at = at ${by} WHERE ${own}`);
      await post(service, "/score", submission("undated", 0));
    }
    await post(service, "/score", submission("undated", 1, ago(4 * dayMs)));
    expect(await changesOf("undated")).toEqual([
      [5, 100],
      [4, 50],
      [3, 100],
    ]);
  });

  test("of a result that takes the place of one that changed nothing: its score changed after the result before", async () => {
    const [first, second] = [ago(7_200_000), ago(3_600_000)];
    for (const time of [first, second]) await post(service, "/score", submission("same time", 0, time));
    await post(service, "/score", submission("same time", 1, second));
    const { changes } = await storedOf("same time");
    expect(changes.at(-1)).toMatchObject({ at: new Date(second), former_at: new Date(first) });
  });

  test("of a merge: a confirmation stays where the joint history has its score", async () => {
    for (const days of [10, 8, 6]) await post(service, "/score", submission("merged", 0, ago(days * dayMs)));
    for (const days of [9, 7, 5, 4]) await post(service, "/score", submission("kept", 0, ago(days * dayMs)));
    const name = { area: "shop", team: "checkout" };
    const body = { from: { ...name, app: "merged" }, to: { ...name, app: "kept" }, merge: true };
    expect(await post(service, "/apps/move", body)).toMatchObject({ status: 200 });
    const scores = async () => (await changesOf("kept")).map(([, score]: number[]) => score);
    expect(await scores()).toEqual([100]);
    await post(service, "/score", submission("kept", 1, ago(8.5 * dayMs)));
    expect(await scores()).toEqual([100, 50, 100]);
    expect((await changesOf("kept")).at(-1)?.[0]).toBeCloseTo(8, 1);
    await post(service, "/score", submission("kept", 1, ago(6.5 * dayMs)));
    expect(await scores()).toEqual([100, 50, 100, 50, 100]);
    expect((await changesOf("kept")).at(-1)?.[0]).toBeLessThan(6.5);
  });

  test("confirmations of more than a month ago leave the last of each day, and those before the history go", async () => {
    const { knex } = service.database;
    const target = 1_000_000;
    await knex.raw(
      `INSERT INTO score_confirmations (target_id, metric_id, at)
       SELECT ?::int, 1, (date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') - make_interval(days => days, hours => hours)
       FROM unnest(ARRAY[10, 100, 500]) AS days, unnest(ARRAY[1, 2, 3]) AS hours`,
      [target],
    );
    await prune(service.database, { historyDays: 400, signal: new AbortController().signal });
    const { rows: left } = await knex.raw(
      `SELECT extract(epoch FROM (date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') - at)::int / 3600 AS hours
       FROM score_confirmations WHERE target_id = ?::int ORDER BY at`,
      [target],
    );
    expect(left.map(({ hours }: { hours: number }) => hours)).toEqual([2401, 243, 242, 241]);
  });

  test("rewrites recorded days, which the audit shows", async () => {
    await post(service, "/score", submission("days", 0, ago(10 * dayMs)));
    await post(service, "/score", submission("days", 9, ago(5 * dayMs)));
    await work();
    const { days } = await storedOf("days");
    expect(days.length).toBe(10);
    expect(new Set(days.map(({ score }: { score: number }) => score)).size).toBe(2);
    const { rows } = await service.database.knex.raw("SELECT details FROM audit WHERE action = 'history.rewrite'");
    expect(rows.length).toBeGreaterThan(0);
  });

  test("is in the day that somebody writes at the moment of its arrival, and in one that is written later", async () => {
    const { knex } = service.database;
    await work();
    const marks = async () => (await knex.raw("SELECT day::text FROM roll_ups_again ORDER BY day")).rows;
    const begun = async (app: string) => (await storedOf(app)).days.length;
    const before = new Date(Date.parse(await dueDay(knex)) - 3_600_000).toISOString();
    await missDays(knex, 1);
    await post(service, "/score", submission("before the day", 0, before));
    expect(await marks()).not.toEqual([]);
    await work();
    expect([await marks(), await begun("before the day")]).toEqual([[], 1]);
    // As another instance that has read the scores of the last day before the result came.
    await missDays(knex, 1);
    await post(service, "/score", submission("within the day", 0, before));
    await missDays(knex, 0);
    await work();
    expect([await marks(), await begun("within the day")]).toEqual([[], 1]);
  });

  test("of two writers at once, the latest result counts, and all are in the history", async () => {
    const times = Array.from({ length: 12 }, (_, index) => ago((index + 1) * 3_600_000));
    await Promise.all(times.map((time, index) => post(service, "/score", submission("raced", index, time))));
    const { scores, changes } = await storedOf("raced");
    expect(scores[0]?.measured_at.toISOString()).toBe(times[0]);
    expect(changes.map(({ at }: { at: Date }) => at.toISOString())).toEqual(times.toReversed());
    for (const [index, { former }] of changes.entries()) expect(former).toBe(changes[index - 1]?.score ?? null);
  });

  test("of a problem: a clean scan that is older than the finding resolves nothing", async () => {
    const scan = (count: number, measured_at: string) => ({
      ...{ area: "shop", team: "checkout", app: "scanned", env: "prod", problem_type: "secret", severity: "high" },
      ...{ count, measured_at },
    });
    await post(service, "/problem/scan-result", scan(1, ago(3_600_000)));
    const clean = await post(service, "/problem/scan-result", scan(0, ago(7_200_000)));
    expect(clean).toMatchObject({ status: 200, body: { stored: "history", alert: "not_needed" } });
    const { rows } = await service.database.knex.raw(
      "SELECT count, opened_at FROM problems_by_name WHERE app = 'scanned'",
    );
    expect(rows).toMatchObject([{ count: 1 }]);
    const later = await post(service, "/problem/scan-result", scan(0, ago(60_000)));
    expect(later.body).toMatchObject({ stored: "current", opened_at: null });
    const future = await post(service, "/problem/scan-result", scan(1, ago(-360_000)));
    expect(future).toMatchObject({ status: 400, body: { details: [{ path: "measured_at" }] } });
  });
});
