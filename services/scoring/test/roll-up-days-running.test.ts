import { pino } from "pino";
import { expect, test } from "vitest";
import { eachMinute } from "../src/commands/serve/each-minute.ts";
import { writeDays as workOnDays } from "../src/history/days.ts";
import { ageScores, dueDay, missDays, storedDays, writeDays } from "./support/days.ts";
import { readableLog } from "./support/log.ts";
import { newScore } from "./support/new-score.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, shippedEngine, until, useService } from "./support/service.ts";

test("days that are not finished when the process stops are not there, and are written by the next one", async () => {
  const service = await useService();
  const { knex } = service.database;
  await saveScores(
    knex,
    Array.from({ length: 1_200 }, (_, index) => newScore({ app: `${index}`, score: 50 })),
  );
  await ageScores(knex, 3);
  await missDays(knex, 1);
  const stopping = new AbortController();
  let asked = 0;
  const counted = new Proxy(stopping.signal, {
    get(target, name) {
      if (name !== "throwIfAborted") return Reflect.get(target, name);
      return () => {
        if (++asked === 2) stopping.abort();
        target.throwIfAborted();
      };
    },
  });
  await expect(writeDays(service.database, { signal: counted })).rejects.toMatchObject({ name: "AbortError" });
  expect(asked).toBe(2);
  expect(await storedDays(knex)).toEqual([]);
  expect(await writeDays(service.database)).toEqual([{ day: await dueDay(knex), rollUps: 1_202 }]);
});

test("days are written by a running service, as soon as the database is there", async () => {
  const { logger, lines, from } = readableLog();
  const service = await useService();
  const { database } = service;
  const { knex } = database;
  await saveScores(knex, [newScore({ score: 80 })]);
  await ageScores(knex, 2);
  await missDays(knex, 1);
  const day = await dueDay(knex);
  const start = () =>
    eachMinute(
      (signal) =>
        workOnDays({ database, scorecards: shippedEngine.scorecards, historyDays: 400, signal, logger, actor: "test" }),
      {
        ...{ logger, failed: "the roll-ups of the day are not written yet" },
      },
    );
  const stop = start();
  await until(() => lines.length > 0);
  await stop(10_000);
  expect(from(0)).toMatchObject([{ level: 30, msg: "the roll-ups of a day are written", day, rollUps: 3 }]);

  await knex.raw("ALTER TABLE roll_ups_until RENAME TO elsewhere");
  const stopAgain = start();
  await until(() => lines.length > 1);
  await stopAgain(10_000);
  expect(from(40)).toMatchObject([{ level: 50, msg: "the roll-ups of the day are not written yet" }]);
});

test("requests to a service with an embedded database are served between the days", async () => {
  const service = await useService({ databaseUrl: await createDatabase("pglite") });
  const { database } = service;
  await saveScores(database.knex, [newScore({ score: 80 })]);
  await ageScores(database.knex, 40);
  await missDays(database.knex, 30);
  let turns = 0;
  const counter = setInterval(() => turns++);
  const { signal } = new AbortController();
  const { scorecards } = shippedEngine;
  const options = { scorecards, historyDays: 400, signal, logger: pino({ level: "silent" }), actor: "test" };
  expect(await workOnDays({ database, ...options })).toBe(true);
  clearInterval(counter);
  expect(turns).toBeGreaterThan(30);
});
