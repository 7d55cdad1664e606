import type { Knex } from "knex";
import { changeAssignments, changeColumns, recordChanges } from "../store/score-changes.ts";
import { count } from "./count.ts";
import { joinPasts, mergeChanges, mergeDays, noteKnown } from "./merge-past.ts";
import { dropOutdatedDays } from "./outdated-days.ts";
import { storedColumns } from "./stages.ts";
import { carried, lastChange, type StateName, type TableName } from "./tables.ts";

/** The tables that a state is stored in, by whether the application is retired. */
const places: Readonly<Record<StateName, readonly (readonly [table: TableName, which: string])[]>> = {
  scores: [
    ["scores", "NOT retired"],
    ["retired_scores", "retired"],
  ],
  problems: [
    ["problems", "NOT retired"],
    ["retired_problems", "retired"],
  ],
};

/**
 * Moves the collected rows into the store, in the order of keys as by every other write. Their names must be those of here.
 *
 * @returns how many rows of each table were stored
 */
export async function mergeStages(
  trx: Knex,
): Promise<Record<Exclude<TableName, "app_aliases" | "retired_apps">, number>> {
  await dropOutdatedDays(trx);
  await noteKnown(trx);
  const [scores = 0, retired_scores = 0] = await inTurn(places.scores, ([table, which]) =>
    mergeScores(trx, table, which),
  );
  const [problems = 0, retired_problems = 0] = await inTurn(places.problems, ([table, which]) =>
    mergeProblems(trx, table, which),
  );
  const score_changes = await mergeChanges(trx);
  await joinPasts(trx);
  return {
    ...{ scores, problems, retired_scores, retired_problems, score_changes },
    roll_up_days: await mergeDays(trx),
    waivers: await mergeWaivers(trx),
    apps: await mergeRegistry(trx),
  };
}

async function inTurn<One>(ones: readonly One[], merge: (one: One) => Promise<number>): Promise<number[]> {
  const counts: number[] = [];
  for (const one of ones) counts.push(await merge(one));
  return counts;
}

function assign(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(", ");
}

/** What a newer row replaces. */
function valuesOf(state: StateName): string {
  const kept = new Set(["area", "team", "app", "env", "scorecard", "metric", "problem_type", "key", ...lastChange]);
  return assign(storedColumns(state).filter((column) => !kept.has(column)));
}

/**
 * Rows of a version without history begin a history at their report, or add a change to it. Rows with a history bring
 * their last change along, and the changes before it come as rows of their own.
 */
async function mergeScores(trx: Knex, table: TableName, which: string): Promise<number> {
  const unrecorded = await mergeSomeScores(trx, table, `${which} AND changed_at IS NULL`, {
    insert: "reported_at, NULL, 'report'",
    update: changeAssignments("excluded.reported_at"),
    record: recordChanges,
  });
  const recorded = await mergeSomeScores(trx, table, `${which} AND changed_at IS NOT NULL`, {
    insert: lastChange.join(", "),
    update: assign(lastChange),
    record: "SELECT",
  });
  return unrecorded + recorded;
}

async function mergeSomeScores(
  trx: Knex,
  table: TableName,
  which: string,
  { insert, update, record }: { readonly insert: string; readonly update: string; readonly record: string },
): Promise<number> {
  const columns = storedColumns("scores").filter((column) => !lastChange.includes(column));
  // Only the table of scores makes ids by itself.
  const [id, newId] = table === "scores" ? ["", ""] : [", id", ", nextval(pg_get_serial_sequence('scores', 'id'))"];
  return count(
    trx,
    `
    WITH newest AS (SELECT DISTINCT ON (area, key) * FROM imported_scores ORDER BY area, key, reported_at DESC),
    stored AS (
      INSERT INTO ${table} AS former (${columns}, ${lastChange}${id})
      SELECT ${columns}, ${insert}${newId}
      FROM newest WHERE ${which} ORDER BY area, key
      ON CONFLICT (area, key) DO UPDATE SET ${valuesOf("scores")}, ${update}
      WHERE former.reported_at < excluded.reported_at
      RETURNING ${changeColumns}
    ),
    recorded AS (${record})
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

function mergeProblems(trx: Knex, table: TableName, which: string): Promise<number> {
  const columns = storedColumns("problems").join(", ");
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO ${table} AS former (${columns})
      SELECT DISTINCT ON (area, key) ${columns} FROM imported_problems WHERE ${which} ORDER BY area, key, reported_at DESC
      ON CONFLICT (area, key) DO UPDATE SET ${valuesOf("problems")}
      WHERE former.reported_at < excluded.reported_at
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

/** A waiver is changed by its revocation alone, which counts wherever it happened. */
function mergeWaivers(trx: Knex): Promise<number> {
  const columns = carried.waivers.join(", ");
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO waivers AS former (${columns})
      SELECT DISTINCT ON (id) ${columns} FROM imported_waivers ORDER BY id, revoked_at
      ON CONFLICT (id) DO UPDATE SET revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by
      WHERE former.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

/**
 * An entry that is here stays: nothing tells which of two was written later. What is registered of an application that is
 * retired on one side only goes where the application is.
 */
async function mergeRegistry(trx: Knex): Promise<number> {
  const facts = "owner, repo, tier, labels, registered_at";
  await trx.raw(`
    CREATE TEMP TABLE imported_facts ON COMMIT DROP AS
    SELECT DISTINCT ON (area, team, app) area, team, app, ${facts}
    FROM (
      SELECT area, team, app, ${facts} FROM imported_apps
      UNION ALL SELECT area, team, app, ${facts} FROM imported_retired_apps WHERE registered_at IS NOT NULL
    ) AS entries
    ORDER BY area, team, app, registered_at DESC
  `);
  await trx.raw(`
    UPDATE retired_apps AS known
    SET owner = entry.owner, repo = entry.repo, tier = entry.tier, labels = entry.labels,
      registered_at = entry.registered_at
    FROM imported_facts AS entry
    WHERE (known.area, known.team, known.app) = (entry.area, entry.team, entry.app) AND known.registered_at IS NULL
  `);
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO apps (area, team, app, ${facts})
      SELECT area, team, app, ${facts} FROM imported_facts AS entry
      WHERE NOT EXISTS (
        SELECT FROM retired_apps AS known
        WHERE (known.area, known.team, known.app) = (entry.area, entry.team, entry.app)
      )
      ON CONFLICT (area, team, app) DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}
