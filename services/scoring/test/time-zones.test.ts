import { globSync, readFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { prune } from "../src/history/prune.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { ageScores, dueDay, missDays, rollUpsOf, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, useService } from "./support/service.ts";
import { useDirectory } from "./support/service-process.ts";

const { signal } = new AbortController();

describe.each(enginesInZones)("whatever the zone of a session, on %s in %s,", (kind, zone) => {
  test("a kept day keeps the changes from its first moment on", async () => {
    const { database } = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = database;
    await saveScores(knex, [newScore({ score: 80 })]);
    await knex.raw("DELETE FROM score_changes");
    const historyDays = 7;
    const oldest = new Date(Date.parse(await today(database)) - (historyDays - 1) * 86_400_000);
    const hours = [-12, -6, -1, -0.001, 0, 0.001, 1, 6, 12];
    for (const [place, hour] of hours.entries())
      await knex.raw(
        "INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause) SELECT target_id, metric_id, ?, 1, ?, scorer, 'report' FROM scores_by_name",
        [new Date(oldest.getTime() + hour * 3_600_000), place],
      );
    await prune(database, { historyDays, signal });
    const { rows } = await knex.raw("SELECT score::int FROM score_changes ORDER BY at");
    expect(rows.map(({ score }: { score: number }) => hours[score])).toEqual(hours.filter((hour) => hour >= 0));
  });

  test("a day has its share fresh if it is written in time, and none if it is late", async () => {
    const { database } = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const day = await dueDay(database.knex);
    const freshOf = async (freshForHours: number) => {
      await missDays(database.knex, 1);
      await database.knex.raw("DELETE FROM roll_up_days");
      await writeDays(database, { freshForHours });
      return (await rollUpsOf(database.knex, day)).map(({ fresh }) => fresh !== null);
    };
    await saveScores(database.knex, [newScore({})]);
    await ageScores(database.knex, 2);
    const age = (Date.parse(await now(database)) - Date.parse(day)) / 3_600_000;
    // A run that lasts beyond an hour of the clock would find its day an hour older.
    expect(await freshOf(Math.ceil(age) + 1)).toEqual([true, true, true]);
    expect(await freshOf(Math.floor(age))).toEqual([false, false, false]);
  });
});

const today = async ({ knex }: Database) =>
  (await knex.raw("SELECT (now() AT TIME ZONE 'UTC')::date::text AS day")).rows[0].day;

const now = async ({ knex }: Database): Promise<string> =>
  (await knex.raw("SELECT clock_timestamp() AS now")).rows[0].now.toISOString();

describe("every connection begins with the same settings", () => {
  const foreign = {
    TimeZone: "America/New_York",
    DateStyle: "German, DMY",
    extra_float_digits: "0",
    bytea_output: "escape",
    default_transaction_isolation: "repeatable read",
  };
  const own = {
    ...{ TimeZone: "UTC", DateStyle: "ISO, MDY", extra_float_digits: "1", bytea_output: "hex" },
    default_transaction_isolation: "read committed",
  };
  const settings = Object.keys(own);
  const shown = `SELECT name, setting FROM pg_settings WHERE name IN (${settings.map((name) => `'${name}'`)})`;

  test("on a PostgreSQL that has others", async () => {
    const databaseUrl = await createDatabase("postgres");
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const [setting, value] of Object.entries(foreign))
      await query(databaseUrl, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    const { rows } = await query(databaseUrl, shown);
    expect(asObject(rows)).toEqual(foreign);
    const database = openDatabase(databaseUrl, 1, databaseUrl);
    onTestFinished(() => database.close());
    const { knex, decisions, scrapes, reads, lists, notifications, background } = database;
    for (const pool of [knex, decisions, scrapes, reads, lists, notifications, background])
      expect(asObject((await pool.raw(shown)).rows)).toEqual(own);
  });

  test("on the embedded database", async () => {
    const directory = await useDirectory();
    const open = () => openDatabase(`pglite:${directory}`, 1);
    const before = open();
    await before.knex.raw("SELECT 1");
    await before.close();
    const lines = Object.entries(foreign).map(([setting, value]) => `${setting} = '${value}'\n`);
    await appendFile(join(directory, "postgresql.conf"), lines.join(""));
    const database = open();
    onTestFinished(() => database.close());
    expect(asObject((await database.knex.raw(shown)).rows)).toEqual(own);
  });

  function asObject(rows: readonly { name: string; setting: string }[]): object {
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  }
});

/** What goes by the zone of the session, or by the lengths of its days. `store/utc.ts` says the same without. */
const byZone = {
  "a zone of its own": /AT TIME ZONE/i,
  "a cast of a time to a day": /(?<!\?)::date\b/i,
  "a cast of a day to a time, or of a time without its zone":
    /(?<=day|date)::timestamptz|::timestamp\b(?!tz)|::timetz?\b/i,
  "the day or time of the session": /\bcurrent_(?:date|time)\b|\blocaltime/i,
  "the fields of a time":
    /\bdate_trunc\('(?!milliseconds|microseconds)|(?:(?<!\.)\bextract\(|\bdate_part\(')(?!epoch)/i,
  "the text of a time": /\bto_char\(|\bto_timestamp\(|\w_at::text/i,
  "days of 23 to 25 hours": /\binterval '[^']*(?:day|week|month|year)|make_interval\((?:years|months|weeks|days)/i,
};

test("no statement goes by the zone of its session", () => {
  const source = new URL("../src/", import.meta.url);
  const files = globSync("**/*.ts", { cwd: source }).filter((file) => !file.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(150);
  const found = files.flatMap((file) => {
    if (file === "store/utc.ts") return [];
    const lines = readFileSync(new URL(file, source), "utf8").split("\n");
    return lines.flatMap((line, index) =>
      Object.entries(byZone).flatMap(([fault, pattern]) =>
        pattern.test(line) ? [`${file}:${index + 1} has ${fault}: ${line.trim()}`] : [],
      ),
    );
  });
  expect(found).toEqual([]);
});
