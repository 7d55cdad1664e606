import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { findSilent, lockSilent, retire } from "../store/moving/retire.ts";

/** Which environments are retired as silent, and by whom. */
export interface SilenceTerms {
  /** The number of days without a submission. */
  readonly days: number;
  /** The actor in the audit. */
  readonly actor: string;
  /** Ends the work before the next transaction; the next run continues. */
  readonly signal: AbortSignal;
}

/** Few environments a transaction, so that names are locked only briefly. */
const batch = 50;

/**
 * Retires environments without a submission for this many days, waived or registered ones too, with an audit entry each.
 * It fails, and can be repeated, where one of them reports at that moment.
 *
 * @returns how many were retired
 */
export async function retireSilent(
  { background }: Pick<Database, "background">,
  { days, actor, signal }: SilenceTerms,
): Promise<number> {
  const reason = `nothing was reported for ${days} days`;
  let retired = 0;
  for (;;) {
    signal.throwIfAborted();
    const found = await background.transaction(async (trx) => {
      await lockNames(trx);
      const before = await findSilent(trx, days, batch);
      const silent = await lockSilent(trx, days, before);
      for (const { id, scores, problems, ...target } of silent) {
        await retire(trx, { table: "targets", id, targets: [id] }, reason);
        await recordAudit(trx, { actor, action: "app.retire", target, details: { scores, problems, reason } });
      }
      retired += silent.length;
      return before.length;
    });
    if (found < batch) return retired;
  }
}
