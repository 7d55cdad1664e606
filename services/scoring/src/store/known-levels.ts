import type { Knex } from "knex";
import sql, { type Sql } from "sql-template-tag";
import type { Lines } from "./lines.ts";
import { query } from "./sql.ts";
import { readRows } from "./text-rows.ts";

/** The ranks of the levels of targets as they were last compared. */
export type KnownLevels = ReadonlyMap<number, number>;

/**
 * Reads known levels.
 *
 * @param which a condition in SQL on `target_id`
 */
export async function readKnownLevels(lines: Lines, which = "true"): Promise<KnownLevels> {
  const known = new Map<number, number>();
  for await (const rows of readRows(lines(`SELECT target_id, rank FROM known_levels WHERE ${which}`))) {
    for (const [target, rank] of rows) known.set(Number(target), Number(rank));
  }
  return known;
}

/** Stores known levels over those before. Targets that are gone are left out. */
export async function storeKnownLevels(trx: Knex, levels: KnownLevels): Promise<void> {
  await insertLevels(trx, levels, sql`true`, sql`UPDATE SET rank = excluded.rank`);
}

/** Stores levels of targets that are not known, but for those of which changes wait: these begin before their changes. */
export async function rememberLevels(trx: Knex, levels: KnownLevels): Promise<void> {
  await insertLevels(trx, levels, sql`targets.id NOT IN (SELECT target_id FROM reported_changes)`, sql`NOTHING`);
}

async function insertLevels(trx: Knex, levels: KnownLevels, which: Sql, onConflict: Sql): Promise<void> {
  if (levels.size === 0) return;
  // The targets are held in one order, so that a merge deletes none of them meanwhile and no deadlock occurs.
  await query(trx)`
    INSERT INTO known_levels (target_id, rank)
    SELECT targets.id, rank
    FROM unnest(${[...levels.keys()]}::int[], ${[...levels.values()]}::smallint[]) AS sent (target_id, rank)
      JOIN targets ON targets.id = sent.target_id
    WHERE ${which}
    ORDER BY targets.id
    FOR KEY SHARE OF targets
    ON CONFLICT (target_id) DO ${onConflict}
  `;
}

/** The comparison of all levels that is due. */
export interface DueComparison {
  /** Whether rules were recorded since the last one: then the levels of now are no news. */
  readonly isNew: boolean;
}

/** The recorded rules that are in force; 0 before the first. */
const policyInForce = sql`(SELECT coalesce(max(id), 0) FROM policies)`;

/** The id of the recorded rules that are in force; 0 before the first. */
export async function readPolicyId(knex: Knex): Promise<number> {
  const [found] = await query(knex)`SELECT ${policyInForce} AS id`;
  return found.id;
}

const isDue = (policy: number) => sql`${policyInForce} = ${policy}::int
  AND (policy_id IS DISTINCT FROM ${policy}::int OR compared_at < now() - interval '1 hour')`;

/**
 * Says whether all levels are to be compared: after the first start, after a change of the rules, and an hour after the
 * last time.
 *
 * @param policy the rules of this instance. With later ones in force it leaves the work to an instance that has them.
 */
export async function isComparisonDue(knex: Knex, policy: number): Promise<boolean> {
  const rows = await query(knex)`SELECT 1 FROM levels_compared WHERE ${isDue(policy)}`;
  return rows.length > 0;
}

/**
 * Takes the comparison for a transaction, so that one instance does it.
 *
 * @returns undefined if it is not due, or another instance does it
 */
export async function takeComparison(trx: Knex, policy: number): Promise<DueComparison | undefined> {
  const [due] = await query(trx)`
    SELECT policy_id IS DISTINCT FROM ${policy}::int AS is_new FROM levels_compared
    WHERE ${isDue(policy)} FOR UPDATE SKIP LOCKED
  `;
  return due && { isNew: due.is_new };
}

/** Notes that all levels are compared. */
export async function noteComparison(trx: Knex, policy: number): Promise<void> {
  await query(trx)`UPDATE levels_compared SET compared_at = now(), policy_id = ${policy}::int`;
}

/** Forgets all levels. */
export async function forgetLevels(trx: Knex): Promise<void> {
  await query(trx)`DELETE FROM known_levels`;
}

/** Holds the work of comparing levels for a transaction. Returns false if another instance has it, or has later rules. */
export async function holdComparison(trx: Knex, policy: number): Promise<boolean> {
  const rows = await query(trx)`
    SELECT 1 FROM levels_compared
    WHERE policy_id = ${policy}::int AND ${policyInForce} = ${policy}::int FOR UPDATE SKIP LOCKED
  `;
  return rows.length > 0;
}
