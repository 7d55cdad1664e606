import { expect, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { ageScores, dueDay, missDays, rollUpsOf, storedDays } from "../test/support/days.ts";
import { useHolder } from "../test/support/holder.ts";
import { newScore } from "../test/support/new-score.ts";
import { query } from "../test/support/postgres.ts";
import { saveScores } from "../test/support/save-scores.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { useServiceProcess } from "../test/support/service-process.ts";

const apps = 1_500;

test("an instance without history deletes at its start what was recorded before, and the days until now stay unknown", async () => {
  const databaseUrl = await createDatabase("postgres");
  const database = openDatabase(databaseUrl, 1);
  await saveScores(database.knex, [newScore({ score: 85 })]);
  const service = await useServiceProcess({ DATABASE_URL: databaseUrl, HISTORY_DAYS: "0" });
  const recorded = "SELECT FROM score_changes";
  await until(async () => (await query(databaseUrl, recorded)).rowCount === 0);
  service.kill("SIGKILL");
  await service.exit;
  const { rows } = await query(databaseUrl, "SELECT changes_since > now() AS is_tomorrow FROM roll_ups_until");
  expect(rows).toEqual([{ is_tomorrow: true }]);
  await database.close();
});

test("an instance that is killed while it writes a day leaves nothing of it, and the next instance writes it", async () => {
  const databaseUrl = await createDatabase("postgres");
  const database = openDatabase(databaseUrl, 1);
  await saveScores(
    database.knex,
    Array.from({ length: apps }, (_, index) => newScore({ app: `${index}`, score: index % 100 })),
  );
  await ageScores(database.knex, 5);
  await missDays(database.knex, 2);
  const days = [await dueDay(database.knex, 1), await dueDay(database.knex)];
  await database.close();

  // The name of the area comes last. Nobody else can write it now.
  const holder = await useHolder(databaseUrl, "INSERT INTO roll_up_targets (area, env) VALUES ('area', 'prod')");
  const killed = await useServiceProcess({ DATABASE_URL: databaseUrl });
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => (await query(databaseUrl, waiting)).rowCount === 1);
  killed.kill("SIGKILL");
  await killed.exit;
  await holder.end("ROLLBACK");

  const read = openDatabase(databaseUrl, 1);
  await until(async () => (await query(databaseUrl, waiting)).rowCount === 0);
  expect(await storedDays(read.knex)).toEqual([]);
  const next = await useServiceProcess({ DATABASE_URL: databaseUrl });
  await until(async () => (await storedDays(read.knex)).length === 2);
  expect(await storedDays(read.knex)).toEqual(days);
  for (const day of days) expect(await rollUpsOf(read.knex, day)).toHaveLength(apps + 2);
  await next.logged("the roll-ups of a day are written");
  await read.close();
});
