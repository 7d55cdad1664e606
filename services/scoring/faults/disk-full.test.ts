import { expect, type TestContext, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { jobs } from "../test/support/jobs.ts";
import { query, withDatabase } from "../test/support/postgres.ts";
import { type OwnPostgresOptions, useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";
import { type SmallDisk, useSmallDisk } from "./support/small-disk.ts";

/** @param fill leaves the service without a place to write */
async function runOutOfRoom(
  context: TestContext,
  part: keyof OwnPostgresOptions,
  fill: (disk: SmallDisk, databaseUrl: string) => Promise<void>,
): Promise<void> {
  const disk = await useSmallDisk(64);
  const postgres = await useOwnPostgres({ [part]: disk.directory });
  const scene = await useScene(context, { databaseUrl: postgres.url });
  for (let round = 0; round < 3; round++) {
    await scene.round(async () => {
      await fill(disk, postgres.url);
      await scene.more("refused", 20);
      await disk.free();
      await postgres.start(); // a full log ends it
    });
  }
  await scene.finish();
}

test("the disk of the tables is full", (context) => runOutOfRoom(context, "tables", (disk) => disk.fill()));

test("the disk of the write-ahead log is full", (context) => runOutOfRoom(context, "log", useUpLog));

/** Has PostgreSQL begin new files of its log until there is no room for one. */
async function useUpLog(disk: SmallDisk, databaseUrl: string): Promise<void> {
  const beginFile = () =>
    query(databaseUrl, "SELECT pg_switch_wal()").then(
      () => true,
      () => false,
    );
  do await disk.fill();
  while (await beginFile());
}

test.each(Object.entries(jobs))(
  "the disk of the tables is full during %s, which is whole when it is run again",
  async (_, job) => {
    const disk = await useSmallDisk(192);
    const { url } = await useOwnPostgres({ tables: disk.directory });
    const first = openDatabase(url, 2);
    await migrate(first);
    await job.prepare(first);
    await first.close();
    const undisturbedUrl = withDatabase(url, "undisturbed");
    await query(withDatabase(url, "postgres"), "CREATE DATABASE undisturbed TEMPLATE maturity TABLESPACE small");
    const undisturbed = openDatabase(undisturbedUrl, 2);
    await job.run(undisturbed);
    const whole = await job.state(undisturbed);
    await undisturbed.close();

    const database = openDatabase(url, 2);
    const before = await job.state(database);
    await disk.fill();
    await expect(job.run(database)).rejects.toThrow();
    if (job.isAtomic) expect(await job.state(database)).toEqual(before);
    await disk.free();
    await job.run(database);
    expect(await job.state(database)).toEqual(whole);
    await database.close();
  },
);
