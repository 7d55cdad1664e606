import type { FactStore } from "../model/fact.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { withdrawUndecided } from "../store/waiver-changes.ts";
import { auditOf } from "./audit-of.ts";
import { waiverFact } from "./waiver-fact.ts";

/** How requests are withdrawn that nobody decided. */
export interface WithdrawalTerms {
  /** The actor in the audit. */
  readonly actor: string;
  /** Ends the work before the next transaction; the next run continues. */
  readonly signal: AbortSignal;
}

/** Requests of one transaction. */
const batch = 100;

/**
 * Records that requests are withdrawn which nobody decided in time, each with an audit entry, whichever instance looks. Those of
 * what is neither retired nor held are announced.
 *
 * @returns how many
 */
export async function withdrawRequests(
  { background }: Pick<Database, "background">,
  facts: FactStore,
  { actor, signal }: WithdrawalTerms,
): Promise<number> {
  let withdrawn = 0;
  for (;;) {
    signal.throwIfAborted();
    const waivers = await background.transaction(async (trx) => {
      const found = await withdrawUndecided(trx, batch, actor);
      for (const waiver of found) await recordAudit(trx, auditOf("waiver.withdraw", actor, waiver));
      await facts.store(
        trx,
        found.filter(({ is_shown }) => is_shown).map((waiver) => waiverFact("waiver.decided", waiver, actor)),
      );
      return found.length;
    });
    withdrawn += waivers;
    if (waivers < batch) return withdrawn;
  }
}
