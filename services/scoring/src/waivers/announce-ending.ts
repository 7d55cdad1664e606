import type { FactStore } from "../model/fact.ts";
import { endsSoonDays } from "../model/limits.ts";
import type { Database } from "../store/database.ts";
import { inForceNow, type StoredWaiver, waiverColumns } from "../store/waivers.ts";
import { waiverFact } from "./waiver-fact.ts";

/**
 * Stores a fact for each waiver in force that came within 14 days of its end since the last call, whichever instance
 * called. A waiver that is made for less time is not announced.
 *
 * @returns how many waivers
 */
export async function announceEnding({ background }: Pick<Database, "background">, facts: FactStore): Promise<number> {
  return background.transaction(async (trx) => {
    await trx.raw("SELECT FROM waivers_announced_until FOR UPDATE");
    const { rows } = await trx.raw(`
      SELECT ${waiverColumns} FROM waivers_by_name
      WHERE is_shown AND ${inForceNow} AND expires_at > coalesce((SELECT ends_at FROM waivers_announced_until), now())
        AND expires_at <= now() + make_interval(hours => 24 * ${endsSoonDays})
      ORDER BY expires_at, id
    `);
    const ending: readonly StoredWaiver[] = rows;
    await facts.store(
      trx,
      ending.map((waiver) => waiverFact("waiver.ending", waiver)),
    );
    await trx.raw(
      `UPDATE waivers_announced_until SET ends_at = greatest(ends_at, now() + make_interval(hours => 24 * ${endsSoonDays}))`,
    );
    return ending.length;
  });
}
