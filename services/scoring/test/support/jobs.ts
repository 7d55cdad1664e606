import { prune } from "../../src/history/prune.ts";
import type { Database } from "../../src/store/database.ts";
import { AreasError } from "../../src/transfer/areas.ts";
import { historyFaults } from "./changes.ts";
import { ageScores, dueDay, missDays, writeDays } from "./days.ts";
import { storedScores } from "./replay.ts";
import { saveScores } from "./save-scores.ts";
import { useService } from "./service.ts";
import { runOn } from "./service-command.ts";
import { collect, importRows, lines } from "./transfer.ts";

/** Work that something may end at any moment. */
export interface Job {
  /** What is there before it begins. */
  prepare(database: Database): Promise<void>;
  run(database: Database): Promise<unknown>;
  /** What it makes, without the times at which it was made. */
  state(database: Database): Promise<unknown>;
  /** Is it done whole or not at all? */
  readonly isAtomic: boolean;
}

const { signal } = new AbortController();

/** Rows of a database. */
export const state = async ({ knex }: Database, sql: string): Promise<object[]> => (await knex.raw(sql)).rows;

let exported: string[] = [];

/** The last day that was due when the daily work was prepared: a midnight may pass until it is run again. */
let lastDay = "";

async function fillPast({ knex }: Database): Promise<void> {
  await saveScores(knex, storedScores(3));
  await ageScores(knex, 9);
  await saveScores(knex, storedScores(4));
  await ageScores(knex, 2);
}

/** All work of the service that takes more than one statement and is begun by nobody who waits for an answer. */
export const jobs: Readonly<Record<string, Job>> = {
  "an import": {
    isAtomic: true,
    async prepare() {
      const { database } = await useService({ databaseUrl: "pglite::memory:" });
      await fillPast(database);
      await missDays(database.knex, 6);
      await writeDays(database);
      exported = await collect(database);
    },
    async run(database) {
      try {
        await importRows(database, lines(...exported));
      } catch (error) {
        if (!(error instanceof AreasError)) throw error; // it was whole already
      }
    },
    state: async (database) => (await collect(database)).sort(),
  },
  "the daily work": {
    isAtomic: false,
    async prepare(database) {
      await fillPast(database);
      await missDays(database.knex, 3);
      lastDay = await dueDay(database.knex);
    },
    async run(database) {
      await writeDays(database, { historyDays: 5 });
      await prune(database, { historyDays: 5, signal });
    },
    state: (database) =>
      state(
        database,
        `SELECT day::text, area, team, app, env, score, reported, count, (SELECT count(*)::int FROM score_changes) AS changes
         FROM roll_up_days JOIN roll_up_targets_by_name AS target ON target.id = roll_up_days.target_id
         WHERE day <= '${lastDay}' ORDER BY day, area, team, app, env`,
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
        "SELECT labels, score::float8, scorer, changed_by, raw::text, reported_at FROM scores_by_name ORDER BY labels",
      ),
    ],
  },
};
