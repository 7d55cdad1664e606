import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { findSilent, retire } from "../store/moving/retire.ts";

/** How silent environments are retired. */
export interface SilenceTerms {
  /** For how many days nothing was reported of them. */
  readonly days: number;
  /** Who retires them, for the audit. */
  readonly actor: string;
  /** Ends the work before the next transaction; what is left is found again. */
  readonly signal: AbortSignal;
}

/** Environments of one transaction, so that names are locked for a moment only. */
const batch = 50;

/**
 * Retires the environments of which nothing was reported for so many days, waived or registered ones too. Each is written to
 * the audit.
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
      const silent = await findSilent(trx, days, batch);
      for (const { id, scores, problems, ...target } of silent) {
        await retire(trx, { table: "targets", id, targets: [id] }, reason);
        await recordAudit(trx, { actor, action: "app.retire", target, details: { scores, problems, reason } });
      }
      return silent.length;
    });
    retired += found;
    if (found < batch) return retired;
  }
}
