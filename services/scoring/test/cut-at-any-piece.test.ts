import { expect, test, vi } from "vitest";
import { prune } from "../src/history/prune.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { historyFaults } from "./support/changes.ts";
import { ageScores, missDays, writeDays } from "./support/days.ts";
import { freePort, query, withDatabase } from "./support/postgres.ts";
import { storedScores } from "./support/replay.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { useTcpProxy } from "./support/tcp-proxy.ts";
import { collect, importRows, lines } from "./support/transfer.ts";

/** Work that something may end at any moment. */
interface Job {
  /** What is there before it begins. */
  prepare(database: Database): Promise<void>;
  run(database: Database): Promise<unknown>;
  /** What it makes, without the times at which it was made. */
  state(database: Database): Promise<unknown>;
  /** Is it done whole or not at all? */
  readonly isAtomic: boolean;
}

const { signal } = new AbortController();

/** How many moments of a job are tried, each before and after the server has what was sent. */
const moments = 12;

const state = async ({ knex }: Database, sql: string) => (await knex.raw(sql)).rows;

let exported: string[] = [];

async function fillPast({ knex }: Database): Promise<void> {
  await saveScores(knex, storedScores(3));
  await ageScores(knex, 9);
  await saveScores(knex, storedScores(4));
  await ageScores(knex, 2);
}

const jobs: Readonly<Record<string, Job>> = {
  "an import": {
    isAtomic: true,
    async prepare() {
      const { database } = await useService();
      await fillPast(database);
      await missDays(database.knex, 6);
      await writeDays(database);
      exported = await collect(database);
    },
    run: (database) => importRows(database, lines(...exported)),
    state: async (database) => (await collect(database)).sort(),
  },
  "the daily work": {
    isAtomic: false,
    async prepare(database) {
      await fillPast(database);
      await missDays(database.knex, 3);
    },
    async run(database) {
      await writeDays(database, { historyDays: 5 });
      await prune(database, { historyDays: 5, signal });
    },
    state: (database) =>
      state(
        database,
        `SELECT day::text, area, team, app, env, score, coverage, count, (SELECT count(*)::int FROM score_changes) AS changes
         FROM roll_up_days JOIN roll_up_targets ON id = target_id ORDER BY day, area, team, app, env`,
      ),
  },
  "an applied replay": {
    isAtomic: false,
    prepare: ({ knex }) => saveScores(knex, storedScores(7)).then(() => {}),
    run: (database) => runOn(database, ["replay", "--apply"]),
    state: async (database) => [
      await state(database, historyFaults),
      await state(
        database,
        "SELECT key, score::float8, scorer, changed_by, raw::text, reported_at FROM scores ORDER BY key",
      ),
    ],
  },
};

test.each(Object.entries(jobs))(
  "%s that is cut off at any piece of what it sends is whole when it is run again",
  {
    timeout: 900_000,
  },
  async (_, job) => {
    const baseUrl = await createDatabase("postgres");
    const base = openDatabase(baseUrl, 2);
    await job.prepare(base);
    const before = await job.state(base);
    await base.close();
    const name = new URL(baseUrl).pathname.slice(1);

    /** Runs the job on a database of its own. @returns how many pieces it sent, and what it left */
    async function run(piece: number, when: "before" | "after") {
      const own = `${name}_${when}_${piece}`.toLowerCase();
      await query(withDatabase(baseUrl, "postgres"), `CREATE DATABASE ${own} TEMPLATE ${name}`);
      const url = withDatabase(baseUrl, own);
      const proxy = useTcpProxy(url, await freePort());
      await proxy.open();
      proxy.cutAt(piece, when);
      const cut = openDatabase(proxy.url, 2);
      const outcome = await job.run(cut).then(
        () => "done",
        () => "failed",
      );
      const sent = proxy.sent();
      await proxy.shut();
      await cut.close();
      const direct = openDatabase(url, 2);
      // The server may still be at work for a client that is gone.
      await vi.waitUntil(
        async () =>
          (
            await state(
              direct,
              "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
          ).length === 0,
        { timeout: 30_000 },
      );
      const left = await job.state(direct);
      await job.run(direct);
      const again = await job.state(direct);
      await direct.close();
      await query(withDatabase(baseUrl, "postgres"), `DROP DATABASE ${own}`);
      return { outcome, sent, left, again };
    }

    const whole = await run(Number.POSITIVE_INFINITY, "before");
    expect(whole.outcome).toBe("done");
    expect(whole.left).not.toEqual(before);
    expect(whole.again).toEqual(whole.left);
    let failed = 0;
    const step = Math.ceil(whole.sent / moments);
    for (let piece = 1; piece <= whole.sent; piece += step) {
      for (const when of ["before", "after"] as const) {
        const { outcome, left, again } = await run(piece, when);
        if (outcome === "failed") failed++;
        else expect(left, `${when} ${piece}`).toEqual(whole.left);
        if (job.isAtomic) expect([before, whole.left], `${when} ${piece}`).toContainEqual(left);
        expect(again, `${when} ${piece}`).toEqual(whole.left);
      }
    }
    expect(failed).toBeGreaterThan(whole.sent / step);
  },
);
