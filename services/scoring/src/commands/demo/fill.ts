import { Readable } from "node:stream";
import type { Knex } from "knex";
import { weightsOf } from "../../rollups/weights.ts";
import type { Database } from "../../store/database.ts";
import { createRollUpTargets, namedBy, namedTargets } from "../../store/roll-up-days.ts";
import { type Imported, importRows } from "../../transfer/import.ts";
import { actorOf } from "../actor.ts";
import { CommandError } from "../command.ts";
import { nameRows } from "./names.ts";
import { problemRows } from "./problems.ts";
import { demoEngine } from "./scorers.ts";
import { demoWaivers } from "./waivers.ts";
import { type DemoRollUp, type DemoYear, demoYear } from "./year.ts";

/**
 * Fills an empty store with a made-up organisation: a year of results up to now, scored by the shipped scorecards. Apart
 * from the times the rows are always the same.
 *
 * @returns the number of stored rows of each table
 * @throws CommandError if the store is not empty
 */
export async function fillWithDemo(database: Database, now: Date): Promise<Imported> {
  if (!(await isEmpty(database)))
    throw new CommandError(
      "this store is not empty; the demo fills only an empty one, so name another database in DATABASE_URL",
    );
  const waivers = demoWaivers(now);
  const { days, rows } = demoYear(now, waivers);
  const lines = [...rows, ...problemRows(now), ...waivers, ...nameRows(now)].map((row) => JSON.stringify(row));
  const { scorecards } = demoEngine;
  const stored = await importRows(database, Readable.from(lines), { actor: actorOf(), scorecards, hasHistory: true });
  return { ...stored, roll_up_days: await database.background.transaction((trx) => storeDays(trx, days)) };
}

/** Whether nothing was ever reported to this store, and nobody has decided anything in it. */
export async function isEmpty({ knex }: Database): Promise<boolean> {
  const { rows } = await knex.raw(`
    SELECT EXISTS (SELECT FROM applications) OR EXISTS (SELECT FROM roll_up_days) OR EXISTS (SELECT FROM former_groups)
      OR EXISTS (SELECT FROM waivers) AS used
  `);
  return !rows[0].used;
}

/** Stores the roll-ups of a year by one statement, which takes a fifth of the time of an import line by line. */
async function storeDays(trx: Knex, days: DemoYear["days"]): Promise<number> {
  const idOf = ({ area, team, app, env }: DemoRollUp) => JSON.stringify([area, team, app, env]);
  const targets = new Map(days.flatMap(({ rollUps }) => rollUps.map((one) => [idOf(one), one])));
  const indexes = new Map([...targets.keys()].map((id, index) => [id, index]));
  const rows = days.flatMap(({ day, rollUps }) =>
    rollUps.map((one) => {
      const { count, score, reported, fresh, waived, lowest } = one;
      return { index: indexes.get(idOf(one)), day, count, score, reported, fresh, waived, lowest };
    }),
  );
  await createRollUpTargets(trx, [...targets.values()]);
  await trx.raw(
    `
    INSERT INTO roll_up_days (target_id, day, count, score, reported, fresh, waived, lowest, weights)
    SELECT id, day, count, score, reported, fresh, waived, lowest, ?::int
    FROM json_to_recordset(?::json) AS rows (
      index int, day date, count int, score float8, reported float8, fresh float8, waived float8, lowest float8
    )
    JOIN ${namedTargets} AS named USING (index)
    `,
    [weightsOf(demoEngine.scorecards), JSON.stringify(rows), namedBy([...targets.values()])],
  );
  return rows.length;
}
