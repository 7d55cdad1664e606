import type { Knex } from "knex";
import { query } from "./sql.ts";
import { midnight } from "./utc.ts";

/** The policy recorded last, and the time since which it is in force; undefined before the first start. */
export async function lastPolicy<Recorded>(
  knex: Knex,
): Promise<{ readonly policy: Recorded; readonly loadedAt: Date } | undefined> {
  const { rows } = await knex.raw("SELECT policy, loaded_at FROM policies ORDER BY id DESC LIMIT 1");
  return rows[0] && { policy: rows[0].policy, loadedAt: rows[0].loaded_at };
}

/** The policy that was in force at the first moment of a day; undefined if none was recorded before. */
export async function policyAt<Recorded>(knex: Knex, day: string): Promise<Recorded | undefined> {
  const { rows } = await knex.raw(
    `SELECT policy FROM policies WHERE loaded_at <= ${midnight(day)} ORDER BY id DESC LIMIT 1`,
  );
  return rows[0]?.policy;
}

/** The policy recorded first; undefined before the first start. */
export async function firstPolicy<Recorded>(knex: Knex): Promise<Recorded | undefined> {
  const { rows } = await knex.raw("SELECT policy FROM policies ORDER BY id LIMIT 1");
  return rows[0]?.policy;
}

/** Prevents other processes from recording a policy until the transaction ends. */
export async function lockPolicies(trx: Knex): Promise<void> {
  await trx.raw("LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE");
}

export async function insertPolicy(trx: Knex, policy: object): Promise<void> {
  await query(trx)`INSERT INTO policies (policy) VALUES (${JSON.stringify(policy)}::jsonb)`;
}
