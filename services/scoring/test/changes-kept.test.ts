import { describe, expect, test } from "vitest";
import type { AppChange } from "../src/history/changes.ts";
import { oldestDay, prune } from "../src/history/prune.ts";
import { createScoreWriter } from "../src/store/writing/score-writer.ts";
import { ageScores, dueDay } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, type TestService, useService } from "./support/service.ts";

describe.each(enginesInZones)("a day that the history does not reach, on %s in %s,", (kind, zone) => {
  const read = async (service: TestService, query: Record<string, string>) =>
    (await readPage<AppChange>(service, "/changes", query)).items.map(({ area, team, app, env, ...item }) => item);
  const unknown = { thin: true, score_since: null, change: null, causes: null, moved_by: [] };

  test("has no scores, and the oldest day of the history is the usual one", async () => {
    const historyDays = 30;
    const service = await useService({ zone, databaseUrl: await createDatabase(kind), historyDays });
    const { knex } = service.database;
    for (const [score, days] of [
      [90, 40],
      [40, 50],
      [70, 10],
    ] as const) {
      await saveScores(knex, [newScore({ score })]);
      await ageScores(knex, days);
    }
    const { signal } = new AbortController();
    expect(await prune(service.database, { historyDays, signal })).toBe(2);
    expect(await read(service, { since: await dueDay(knex, 80) })).toEqual([{ score: 70, ...unknown }]);
    expect(await read(service, { since: await dueDay(knex, 30) })).toEqual([{ score: 70, ...unknown }]);
    const causes = { report: 30, rules: 0, waiver: 0, policy: 0, move: 0, other: 0 };
    const oldest = [{ score_since: 40, score: 70, thin: true, change: 30, causes, moved_by: [] }];
    expect(await read(service, { since: await dueDay(knex, 29) })).toEqual(oldest);
    expect(await read(service, {})).toEqual(oldest);
  });

  test("is one that a shorter history deleted, also once the history is longer", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    await saveScores(knex, [newScore({ score: 40 })]);
    await ageScores(knex, 50);
    await saveScores(knex, [newScore({ score: 70 })]);
    await ageScores(knex, 40);
    const before = [{ score_since: 40, score: 70, thin: true, change: 30 }];
    expect(await read(service, { since: await dueDay(knex, 60) })).toMatchObject(before);
    await prune(service.database, { historyDays: 30, signal: new AbortController().signal });
    expect(await read(service, { since: await dueDay(knex, 59) })).toEqual([{ score: 70, ...unknown }]);
    expect(await oldestDay(knex, new Date(), 400)).toBe(await dueDay(knex, 29));
    await prune(service.database, { historyDays: 0, signal: new AbortController().signal });
    expect(await read(service, {})).toEqual([{ score: 70, ...unknown }]);
    expect(await oldestDay(knex, new Date(), 400)).toBe(await dueDay(knex, -1));
  });

  test("is every day if no history is kept", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind), historyDays: 0 });
    const save = createScoreWriter(service.database.knex, 0);
    for (const score of [80, 50, 60]) await save([newScore({ score })]);
    for (const days of [0, 1]) {
      const since = await dueDay(service.database.knex, days);
      expect(await read(service, { since })).toEqual([{ score: 60, ...unknown }]);
    }
    expect(await read(service, {})).toEqual([{ score: 60, ...unknown }]);
  });
});
