import type { Knex } from "knex";
import { weightsOf } from "../../rollups/weights.ts";
import type { Database } from "../../store/database.ts";
import { makeRollUpTargets, namedBy, namedTargets } from "../../store/roll-up-days.ts";
import { type Imported, importRows } from "../../transfer/import.ts";
import { actorOf } from "../actor.ts";
import { CommandError } from "../command.ts";
import { nameRows } from "./names.ts";
import { problemRows } from "./problems.ts";
import { demoEngine } from "./scorers.ts";
import { demoWaivers } from "./waivers.ts";
import { type DemoDay, demoYear } from "./year.ts";

/**
 * Fills an empty store with a made-up organisation: a year of reports by the shipped scorers, up to now. Apart from the
 * times the rows are always the same.
 *
 * @returns how many rows were stored
 * @throws CommandError if anything has been reported already
 */
export async function fillWithDemo(database: Database, now: Date): Promise<Imported> {
  await requireEmpty(database);
  const waivers = demoWaivers(now);
  const { days, rows } = demoYear(now, waivers);
  const all = [...rows, ...problemRows(now), ...waivers, ...nameRows(now)];
  const { scorecards } = demoEngine;
  const stored = await importRows(database, linesOf(all), { actor: actorOf(), scorecards, hasHistory: true });
  return { ...stored, roll_up_days: await database.background.transaction((trx) => storeDays(trx, days)) };
}

async function requireEmpty({ knex }: Database): Promise<void> {
  const { rows } = await knex.raw(`
    SELECT EXISTS (SELECT FROM applications) OR EXISTS (SELECT FROM roll_up_days) OR EXISTS (SELECT FROM former_groups)
      OR EXISTS (SELECT FROM waivers) AS used
  `);
  if (!rows[0].used) return;
  throw new CommandError(
    "this store is not empty; the demo fills only one that nobody has reported to, so name another one in DATABASE_URL",
  );
}

async function* linesOf(rows: readonly object[]): AsyncGenerator<string> {
  for (const row of rows) yield JSON.stringify(row);
}

/** Stores the roll-ups of a year with one line for each target: an import, line by line, takes five times as long. */
async function storeDays(trx: Knex, days: readonly DemoDay[]): Promise<number> {
  const targets = Map.groupBy(
    days.flatMap(({ day, rollUps }) => rollUps.map((rolled) => ({ ...rolled, day }))),
    ({ area, team, app, env }) => JSON.stringify([area, team, app, env]),
  );
  const all = [...targets.values()].flatMap(([first]) => (first ? [first] : []));
  const lines = [...targets.values()].map((of, place) => ({
    ...{ place, days: of.map(({ day }) => day), counts: of.map(({ count = null }) => count) },
    ...{ scores: of.map(({ score }) => score), coverages: of.map(({ coverage }) => coverage) },
    ...{ fresh: of.map(({ freshCoverage }) => freshCoverage), waived: of.map(({ waived }) => waived) },
    ...{ lowest: of.map(({ lowest = null }) => lowest) },
  }));
  await makeRollUpTargets(trx, all);
  const { rows } = await trx.raw(
    `
    WITH stored AS (
      INSERT INTO roll_up_days (target_id, day, count, score, coverage, fresh_coverage, waived, lowest, weights)
      SELECT id, of.*, ?::int
      FROM json_to_recordset(?::json) AS lines (
        place int, days date[], counts int[], scores float8[], coverages float8[], fresh float8[], waived float8[],
        lowest float8[]
      )
      JOIN ${namedTargets} AS named USING (place),
        unnest(days, counts, scores, coverages, fresh, lines.waived, lines.lowest) AS of
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
    [weightsOf(demoEngine.scorecards), JSON.stringify(lines), namedBy(all)],
  );
  return rows[0].count;
}
