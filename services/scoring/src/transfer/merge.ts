import type { Knex } from "knex";
import { chainChanges, changeAssignments, changeColumns, recordChanges } from "../store/score-changes.ts";
import { dropOutdatedDays } from "./outdated-days.ts";
import { lastChange, type StateName, stagedColumns, type TableName, tableNames, tables } from "./tables.ts";

/** Makes the temporary tables, `imported_` with the name of each table, in which an import collects its rows. */
export async function createStages(trx: Knex): Promise<void> {
  for (const table of ["scores", "problems"] as const) {
    const columns = stagedColumns(table).join(", ");
    await trx.raw(`CREATE TEMP TABLE imported_${table} ON COMMIT DROP AS SELECT ${columns} FROM ${table} WITH NO DATA`);
  }
  await trx.raw(`
    CREATE TEMP TABLE imported_score_changes ON COMMIT DROP AS
    SELECT area, team, app, env, key, at, former, score_changes.score, score_changes.scorer, cause
    FROM score_changes JOIN scores ON id = score_id
    WITH NO DATA
  `);
  await trx.raw(`
    CREATE TEMP TABLE imported_roll_up_days ON COMMIT DROP AS
    SELECT area, team, app, env, key, day, count, score, coverage, fresh_coverage, lowest, weights, waived
    FROM roll_up_days JOIN roll_up_targets ON id = target_id
    WITH NO DATA
  `);
  await trx.raw("CREATE TEMP TABLE imported_waivers ON COMMIT DROP AS SELECT * FROM waivers WITH NO DATA");
}

/**
 * Moves the collected rows into the store. Only here its rows are locked, in the order of keys as by every other write.
 * While a day is being written it waits, and no day is written before it is done: each would miss what the other has.
 *
 * @returns how many rows of each table were stored
 */
export async function mergeStages(trx: Knex): Promise<Record<TableName, number>> {
  for (const table of tableNames) await trx.raw(`ANALYZE imported_${table}`); // autovacuum sees no temporary tables
  await trx.raw("SELECT FROM roll_ups_until FOR UPDATE");
  await dropOutdatedDays(trx);
  await trx.raw(`
    CREATE TEMP TABLE known_before ON COMMIT DROP AS
    SELECT id
    FROM scores
    WHERE EXISTS (
      SELECT FROM imported_score_changes AS imported WHERE imported.area = scores.area AND imported.key = scores.key
    )
  `);
  const unrecorded = await mergeScores(trx, "changed_at IS NULL", {
    insert: "reported_at, NULL, 'report'",
    update: changeAssignments("excluded.reported_at"),
    record: recordChanges,
  });
  const recorded = await mergeScores(trx, "changed_at IS NOT NULL", {
    insert: lastChange.join(", "),
    update: assign(lastChange),
    record: "SELECT",
  });
  return {
    scores: unrecorded + recorded,
    problems: await mergeProblems(trx),
    score_changes: await mergeChanges(trx),
    roll_up_days: await mergeDays(trx),
    waivers: await mergeWaivers(trx),
  };
}

function assign(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(", ");
}

/**
 * Rows of a version without history begin a history at their report, or add a change to it. Rows with a history bring
 * their last change along, and the changes before it come as rows of their own.
 */
async function mergeScores(
  trx: Knex,
  which: string,
  { insert, update, record }: { readonly insert: string; readonly update: string; readonly record: string },
): Promise<number> {
  const columns = stagedColumns("scores").filter((column) => !lastChange.includes(column));
  return count(
    trx,
    `
    WITH newest AS (SELECT DISTINCT ON (area, key) * FROM imported_scores ORDER BY area, key, reported_at DESC),
    stored AS (
      INSERT INTO scores AS former (${columns}, ${lastChange})
      SELECT ${columns}, ${insert} FROM newest WHERE ${which} ORDER BY area, key
      ON CONFLICT (area, key) DO UPDATE SET ${assign(valuesOf("scores"))}, ${update}
      WHERE former.reported_at < excluded.reported_at
      RETURNING ${changeColumns}
    ),
    recorded AS (${record})
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

function valuesOf(table: StateName): readonly string[] {
  return [...tables[table].values.filter((column) => !lastChange.includes(column)), "labels"];
}

function mergeProblems(trx: Knex): Promise<number> {
  const columns = stagedColumns("problems").join(", ");
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO problems AS former (${columns})
      SELECT DISTINCT ON (area, key) ${columns} FROM imported_problems ORDER BY area, key, reported_at DESC
      ON CONFLICT (area, key) DO UPDATE SET ${assign(valuesOf("problems"))}
      WHERE former.reported_at < excluded.reported_at
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

/** Where a score was known here, both pasts become one line: each change follows from the one before. */
async function mergeChanges(trx: Knex): Promise<number> {
  const stored = await count(
    trx,
    `
    WITH stored AS (
      INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
      SELECT id, at, former, imported.score, imported.scorer, cause
      FROM imported_score_changes AS imported JOIN scores USING (area, key)
      ORDER BY at
      ON CONFLICT (score_id, at) DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
  await chainChanges(trx, "SELECT id FROM known_before");
  await trx.raw(`
    UPDATE scores SET former_score = former
    FROM score_changes JOIN known_before ON id = score_id
    WHERE scores.id = score_id AND changed_at = at AND former_score IS DISTINCT FROM former
  `);
  return stored;
}

/** A day that is here still stays. */
async function mergeDays(trx: Knex): Promise<number> {
  await trx.raw(`
    INSERT INTO roll_up_targets (area, team, app, env, key)
    SELECT DISTINCT area, team, app, env, key FROM imported_roll_up_days
    ORDER BY area, key
    ON CONFLICT (area, key) DO NOTHING
  `);
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO roll_up_days (target_id, day, count, score, coverage, fresh_coverage, lowest, weights, waived)
      SELECT id, day, count, score, coverage, fresh_coverage, lowest, weights, waived
      FROM imported_roll_up_days JOIN roll_up_targets USING (area, key)
      ORDER BY day, id
      ON CONFLICT (target_id, day) DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

/** A waiver is changed by its revocation alone, which counts wherever it happened. */
function mergeWaivers(trx: Knex): Promise<number> {
  return count(
    trx,
    `
    WITH stored AS (
      INSERT INTO waivers AS former
      SELECT DISTINCT ON (id) * FROM imported_waivers ORDER BY id, revoked_at
      ON CONFLICT (id) DO UPDATE SET revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by
      WHERE former.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM stored
    `,
  );
}

async function count(trx: Knex, statement: string): Promise<number> {
  const { rows } = await trx.raw(statement);
  return rows[0].count;
}
