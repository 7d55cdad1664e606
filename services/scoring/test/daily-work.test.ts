import type { Knex } from "knex";
import { pino } from "pino";
import { expect, test } from "vitest";
import { dailyWork } from "../src/commands/serve/minute-work.ts";
import type { Database } from "../src/store/database.ts";
import { ageScores, dueDay, missDays, rollUpsOf } from "./support/days.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, until, useService } from "./support/service.ts";

/** A database of which something else happens before the second day is looked for. */
function beforeSecondDay(database: Database, happens: () => Promise<unknown>): Database {
  let looked = 0;
  const get = (knex: Knex, name: string) => {
    if (name !== "raw") return Reflect.get(knex, name);
    return async (statement: string, values: readonly string[]) => {
      if (statement.includes("DELETE FROM roll_ups_again USING") && ++looked === 2) await happens();
      return knex.raw(statement, values);
    };
  };
  return { ...database, background: new Proxy(database.background, { get }) };
}

test("silent environments are in every missed day, also where another process writes days or moves meanwhile", async () => {
  const service = await useService();
  const { knex } = service.database;
  await saveScores(knex, [newScore({ score: 80 })]);
  await ageScores(knex, 40);
  await missDays(knex, 3);
  const other = await useHolder(service.databaseUrl);
  const work = dailyWork({
    database: beforeSecondDay(service.database, () => other.run("SELECT FROM roll_ups_until FOR UPDATE")),
    config: { historyDays: 35, retireSilentDays: 30 },
    rules: { scorecards: shippedEngine.scorecards, applies: [] },
    logger: pino({ level: "silent" }),
  });
  const { signal } = new AbortController();
  const old = async () => (await knex.raw("SELECT count(*)::int AS changes FROM score_changes")).rows[0].changes;
  const retired = async () => (await readPage(service, "/audit?action=app.retire")).total;

  const interrupted = work(signal);
  await until(async () => {
    const waiting = "datname = current_database() AND wait_event_type = 'Lock'";
    return (await knex.raw(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).rows.length > 0;
  });
  await other.end("COMMIT");
  await interrupted;
  expect([await old(), await retired()]).toEqual([1, 0]);

  await work(signal);
  expect([await old(), await retired()]).toEqual([0, 1]);
  for (const daysBefore of [2, 1, 0]) expect(await rollUpsOf(knex, await dueDay(knex, daysBefore))).toHaveLength(3);
});
