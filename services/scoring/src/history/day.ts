import { type Rolled, rollUpAreas, rollUpTeams } from "@maturity/core";
import type { Knex } from "knex";
import sql, { raw } from "sql-template-tag";
import type { OrganisationRules } from "../rollups/rules.ts";
import { weightsOf } from "../rollups/weights.ts";
import type { Database } from "../store/database.ts";
import { createRollUpTargets, namedTargets, type RollUpTarget } from "../store/roll-up-days.ts";
import { query } from "../store/sql.ts";
import { asDay, dayOf, firstMoment } from "../store/utc.ts";
import { appsAt } from "./past-scores.ts";

/** How days are written. */
export interface DayOptions extends Omit<OrganisationRules, "levels"> {
  /** The length of the history in days; with 0 none is written. */
  readonly historyDays: number;
  /** Ends the writing early; then nothing of the day is stored. */
  readonly signal: AbortSignal;
  /**
   * A day that is written later than this has no share fresh, in hours: the times of repeated submissions are overwritten,
   * so their staleness at that time is unknown.
   */
  readonly freshForHours?: number;
}

/** A day whose roll-ups were written. */
export interface WrittenDay {
  readonly day: string;
  /** The number of roll-ups. */
  readonly rollUps: number;
}

/** The roll-up of one target. `count` and `lowest` are of teams and areas. */
export interface TargetRollUp extends RollUpTarget, Rolled {
  readonly count?: number;
  readonly lowest?: number;
  /** Of an application: the metrics from which it is exempt, if there are any. */
  readonly exempt_metrics?: string | null;
}

/** A day is due a minute after its first moment, because submissions of the moment before may still be under way. */
const dueAfter = "interval '1 minute'";

/** Roll-ups written by one statement. */
const batchRows = 1_000;

/**
 * Takes the next day, unless another process has it. The single row of the table is the lock: its holder writes the day
 * and advances it, in one transaction.
 */
const takeDay = (historyDays: number, freshForHours: number) => sql`
  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp() AS now, ${raw(dayOf(`clock_timestamp() - ${dueAfter}`))} AS today
  )
  SELECT day::text, now - ${raw(firstMoment("day"))} <= make_interval(hours => ${freshForHours}::int) AS is_fresh
  FROM (
    SELECT now,
      CASE WHEN ${historyDays}::int = 0 THEN today ELSE greatest(day + 1, today + 1 - ${historyDays}::int) END AS day
    FROM roll_ups_until, moment
    WHERE day < today
    FOR UPDATE OF roll_ups_until SKIP LOCKED
  ) AS next
`;

/** Whether the roll-ups of all days that are due are written, by whichever process. */
export async function areDaysWritten({ background }: Database): Promise<boolean> {
  const today = raw(dayOf(`clock_timestamp() - ${dueAfter}`));
  const [{ are_written }] = await query(background)`SELECT day >= ${today} AS are_written FROM roll_ups_until`;
  return are_written;
}

/** Forgets what is to be written again of days that nobody has written or is writing: whoever writes them sees it. */
const forgetUnwritten = `
  DELETE FROM roll_ups_again USING (SELECT day FROM roll_ups_until FOR UPDATE SKIP LOCKED) AS written
  WHERE roll_ups_again.day > written.day
`;

/**
 * Writes the roll-ups of the first day that is due and missing, all or none. All times are by the database's clock.
 *
 * @returns undefined if no day is due, or another process is writing one
 */
export async function writeNextDay({ background }: Database, options: DayOptions): Promise<WrittenDay | undefined> {
  const { scorecards, historyDays, signal, freshForHours = 1 } = options;
  await background.raw(forgetUnwritten);
  return background.transaction(async (trx) => {
    // If this process dies, the database ends the transaction, and another process takes the day.
    await trx.raw("SET LOCAL idle_in_transaction_session_timeout = '60s'");
    // No time limit: a day that is interrupted would begin again each minute and never end.
    await trx.raw("SET LOCAL statement_timeout = 0");
    const [next]: { day: string; is_fresh: boolean }[] = await query(trx)`${takeDay(historyDays, freshForHours)}`;
    if (!next) return undefined;
    let rollUps = 0;
    if (historyDays > 0) {
      await trx.raw(`
        DELETE FROM roll_up_targets WHERE NOT EXISTS (SELECT FROM roll_up_days WHERE target_id = roll_up_targets.id)
      `);
      const weights = weightsOf(scorecards);
      const apps = await appsAt(trx, options, new Date(`${next.day}T00:00:00Z`));
      const teams = rollUpTeams(apps);
      const all: TargetRollUp[] = [...apps, ...teams, ...rollUpAreas(teams)];
      for (; rollUps < all.length; rollUps += batchRows) {
        signal.throwIfAborted();
        await storeRollUps(trx, { ...next, weights }, all.slice(rollUps, rollUps + batchRows));
      }
      rollUps = all.length;
    }
    await query(trx)`UPDATE roll_ups_until SET day = ${asDay(next.day)}`;
    return { day: next.day, rollUps };
  });
}

/** The columns of a roll-up, with their types. */
const columns = {
  ...{ count: "int", score: "float8", reported: "float8", fresh: "float8", waived: "float8", lowest: "float8" },
  ...{ exempt: "float8", exempt_metrics: "text" },
};

const columnNames = Object.keys(columns);

/** How the roll-ups of a day are stored. */
interface DayTerms {
  readonly day: string;
  /** Whether the share fresh at that time is known. */
  readonly is_fresh: boolean;
  readonly weights: number;
  /** Whether they replace stored ones. */
  readonly replaces?: boolean;
}

/** Stores roll-ups of a day. */
export async function storeRollUps(
  trx: Knex,
  { day, is_fresh, weights, replaces = false }: DayTerms,
  rollUps: readonly TargetRollUp[],
): Promise<void> {
  await createRollUpTargets(trx, rollUps);
  const rows = rollUps.map((rollUp, index) => ({ ...rollUp, index, fresh: is_fresh ? rollUp.fresh : null }));
  const json = JSON.stringify(rows, ["index", ...columnNames]);
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const replaced = ["weights", ...columnNames].map((name) => `${name} = excluded.${name}`);
  const names = raw(columnNames.join(", "));
  await query(trx)`
    INSERT INTO roll_up_days (target_id, day, weights, ${names})
    SELECT id, ${asDay(day)}, ${weights}::int, ${names}
    FROM json_to_recordset(${json}::json) AS rows (index int, ${raw(typed.join(", "))})
    JOIN ${namedTargets(rollUps)} AS named USING (index)
    ON CONFLICT (target_id, day) DO ${raw(replaces ? `UPDATE SET ${replaced.join(", ")}` : "NOTHING")}
  `;
}
