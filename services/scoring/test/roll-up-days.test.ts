import { type RollUp, rollUp, type ScoreRecord } from "@maturity/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { prune } from "../src/history/prune.ts";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import type { NewScore } from "../src/store/new-score.ts";
import { ageScores, dueDay, missDays, rollUpsOf, type StoredRollUp, storedDays, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, shippedEngine, type TestService, useService } from "./support/service.ts";

const { scorecards } = shippedEngine;
const kinds = scorecards.flatMap(({ name, metrics }) =>
  metrics.map((metric) => ({ scorecard: name, metric: metric.name })),
);
const { signal } = new AbortController();

/** Reports of one day: some metrics of some applications, one that is not registered, names in all orders. */
const reports = fc.array(
  fc.record({
    area: fc.constantFrom("shop", "bank", "Über"),
    team: fc.constantFrom("checkout", "search", "a/b", "a"),
    app: fc.constantFrom("cart", "b/c", "c", "👩‍👩‍👧", "z"),
    env: fc.constantFrom("prod", "staging", "Prod"),
    kind: fc.constantFrom(...kinds, { scorecard: "gone", metric: "gone" }),
    score: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
  }),
  { minLength: 20, maxLength: 60 },
);

async function save({ database }: Pick<TestService, "database">, scores: readonly NewScore[]): Promise<void> {
  await saveScores(database.knex, scores);
}

/** What `rollUp` makes of these scores, in the form and order in which days are stored. */
function expected(scores: readonly ScoreRecord[], at: Date, isFresh: boolean): StoredRollUp[] {
  const { apps, teams, areas }: RollUp = rollUp(scorecards, scores, at);
  const rows = [...apps.map(({ scorecards: _, ...app }) => app), ...teams, ...areas].map(
    ({ fresh, waived: _, exempt: __, ...rolled }) => ({
      ...{ team: null, app: null, count: null, lowest: null, ...rolled },
      fresh: isFresh ? fresh : null,
    }),
  );
  const names = ({ area, team, app, env }: (typeof rows)[number]) => [area, team, app, env];
  return rows.sort((one, other) => {
    const [a, b] = [names(one), names(other)];
    const place = a.findIndex((name, index) => name !== b[index]);
    const [x, y] = [a[place] ?? null, b[place] ?? null];
    if (x === null || y === null) return x === null ? 1 : -1; // as PostgreSQL, null last
    return Buffer.compare(Buffer.from(x), Buffer.from(y));
  }) as unknown as StoredRollUp[];
}

const near = (rows: readonly StoredRollUp[]) =>
  rows.map(({ score, reported, fresh, lowest, ...rest }) => ({
    ...rest,
    score: expect.closeTo(score, 9),
    reported: expect.closeTo(reported, 9),
    fresh: fresh === null ? null : expect.closeTo(fresh, 9),
    lowest: typeof lowest === "number" ? expect.closeTo(lowest, 9) : null,
  }));

describe.each(enginesInZones)("the roll-ups of days on %s in %s", (kind, zone) => {
  test("are what rollUp makes of the scores of that midnight, also of days that were missed", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    const known = new Map<string, ScoreRecord>();
    const after: ScoreRecord[][] = [];
    const days = 4;
    for (let day = 0; day < days; day++) {
      if (day > 0) await ageScores(knex, 1);
      const [made = []] = fc.sample(reports, 1);
      const scores = made.map(({ kind, ...rest }) => ({ ...rest, ...kind, raw: {}, scorer: "test@1.0.0" }));
      await save(service, scores);
      for (const score of scores) {
        const { area, team, app, env, scorecard, metric } = score;
        known.set(JSON.stringify([area, team, app, env, scorecard, metric]), { ...score, reported_at: "" });
      }
      after.push([...known.values()]);
    }
    await ageScores(knex, 1);
    await missDays(knex, days);

    // Today's has a share fresh, whatever the time of day is.
    const written = await writeDays(service.database, { freshForHours: 24 });
    expect(written).toHaveLength(days);
    const { rows } = await knex.raw("SELECT area, team, app, env, scorecard, metric, reported_at FROM scores_by_name");
    const reportedAt = new Map<string, Date>(
      rows.map((row: ScoreRecord) => {
        const { area, team, app, env, scorecard, metric } = row;
        return [JSON.stringify([area, team, app, env, scorecard, metric]), row.reported_at];
      }),
    );
    for (const [index, { day, rollUps }] of written.entries()) {
      expect(day).toBe(await dueDay(knex, days - 1 - index));
      const at = new Date(`${day}T00:00:00Z`);
      const scores = (after[index] ?? []).map((one) => {
        const { area, team, app, env, scorecard, metric } = one;
        return { ...one, reported_at: reportedAt.get(JSON.stringify([area, team, app, env, scorecard, metric])) ?? at };
      });
      const stored = await rollUpsOf(knex, day);
      expect(stored).toHaveLength(rollUps);
      expect(stored).toEqual(near(expected(scores, at, index === days - 1)));
    }
    expect(await writeDays(service.database)).toEqual([]);
  });

  test("of the past stay as they are, whatever is reported later and whatever the weights become", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    await save(service, [newScore({ score: 80 })]);
    await ageScores(knex, 2);
    await missDays(knex, 1);
    const day = await dueDay(knex);
    await writeDays(service.database);
    const before = await rollUpsOf(knex, day);
    expect(before).toMatchObject([
      { app: "app", score: 80 },
      { app: null, score: 80 },
      { team: null, score: 80 },
    ]);
    await save(service, [newScore({ score: 10 })]);
    expect(await writeDays(service.database, { scorecards: [] })).toEqual([]);
    expect(await rollUpsOf(knex, day)).toEqual(before);
  });

  test("are none with HISTORY_DAYS=0, which also deletes what was kept before", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    await save(service, [newScore({ score: 80 })]);
    await ageScores(knex, 5);
    await missDays(knex, 3);
    expect(await writeDays(service.database)).toHaveLength(3);
    await missDays(knex, 1);
    expect(await writeDays(service.database, { historyDays: 0 })).toEqual([{ day: await dueDay(knex), rollUps: 0 }]);
    await prune(service.database, { historyDays: 0, signal });
    expect((await knex.raw("SELECT FROM score_changes")).rows).toEqual([]);
    expect(await storedDays(knex)).toEqual([]);
  });

  test("are deleted with the changes when they are too old, in batches, and their names after them", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    await save(service, [newScore({ score: 80 })]);
    await ageScores(knex, 40);
    await save(service, [newScore({ score: 90 })]);
    await knex.raw(`
      INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause)
      SELECT target_id, metric_id, now() - interval '30 days' - number * interval '1 s', 1, 2, scorer, 'report'
      FROM scores_by_name, generate_series(1, 12000) AS number
    `);
    await missDays(knex, 20);
    await writeDays(service.database);
    await knex.raw("DELETE FROM scores");
    await prune(service.database, { historyDays: 7, signal });
    expect((await knex.raw("SELECT former::float8, score::float8 FROM score_changes")).rows).toEqual([
      { former: 80, score: 90 },
    ]);
    const today = (await knex.raw("SELECT (now() AT TIME ZONE 'UTC')::date::text AS day")).rows[0].day;
    const oldest = (await knex.raw("SELECT (?::date - 6)::text AS day", [today])).rows[0].day;
    expect((await storedDays(knex))[0]).toBe(oldest);
    await prune(service.database, { historyDays: 0, signal });
    await knex.raw("DELETE FROM roll_up_days");
    await missDays(knex, 1);
    await writeDays(service.database);
    expect((await knex.raw("SELECT FROM roll_up_targets")).rows).toEqual([]);
  });
});

test("are written however long a statement takes", async () => {
  const service = await useService();
  const { knex } = service.database;
  await save(service, [newScore({ score: 80 })]);
  await ageScores(knex, 1);
  await missDays(knex, 1);
  await knex.raw(`
    CREATE FUNCTION require_patience() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('statement_timeout') <> '0' THEN RAISE 'a statement has a limit'; END IF;
      RETURN NEW;
    END
    $$
  `);
  await knex.raw("CREATE TRIGGER patience BEFORE INSERT ON roll_up_days EXECUTE FUNCTION require_patience()");
  expect(await writeDays(service.database)).toHaveLength(1);
});

test("begin with the first midnight after the schema has history", async () => {
  const database = openDatabase("pglite::memory:", 1); // the schema that other tests clone may be of yesterday
  onTestFinished(() => database.close());
  await migrate(database);
  await save({ database }, [newScore({ score: 80 })]);
  expect(await writeDays(database)).toEqual([]);
});

test("go back no further than history is kept", async () => {
  const service = await useService();
  const { knex } = service.database;
  await save(service, [newScore({ score: 80 })]);
  await ageScores(knex, 500);
  await missDays(knex, 450);
  const written = await writeDays(service.database, { historyDays: 3 });
  expect(written.map(({ day }) => day)).toEqual(await Promise.all([2, 1, 0].map((before) => dueDay(knex, before))));
});

test("are written once, however many instances write at once", async () => {
  const databaseUrl = await createDatabase("postgres");
  const instances = await Promise.all(Array.from({ length: 5 }, () => useService({ databaseUrl })));
  const [first] = instances as [TestService];
  const { knex } = first.database;
  await save(
    first,
    Array.from({ length: 300 }, (_, index) => newScore({ app: `${index}`, score: index % 100 })),
  );
  await ageScores(knex, 10);
  await missDays(knex, 6);
  const written: string[] = [];
  while ((await storedDays(knex)).length < 6) {
    const all = await Promise.all(instances.map(({ database }) => writeDays(database)));
    written.push(...all.flat().map(({ day }) => day));
  }
  expect(written.sort()).toEqual(await storedDays(knex));
  for (const day of written) expect(await rollUpsOf(knex, day)).toHaveLength(302);
});

describe("a process whose clock is wrong", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-05-06T07:08:09Z") }));
  afterEach(() => void vi.useRealTimers());

  test("writes the days of the database's clock", async () => {
    const service = await useService();
    const { knex } = service.database;
    await save(service, [newScore({ score: 80 })]);
    await ageScores(knex, 3);
    await missDays(knex, 2);
    const written = await writeDays(service.database);
    expect(written.map(({ day }) => day)).toEqual([await dueDay(knex, 1), await dueDay(knex)]);
    expect(new Date((await dueDay(knex)) ?? "").getTime()).toBeLessThan(Date.parse("2031-01-01"));
  });
});
