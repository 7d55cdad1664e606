import type { Knex } from "knex";
import { type Database, withStore } from "./database.ts";
import { commitLimitMs } from "./patience.ts";

/** Who waits for what he decided to be stored. */
export interface Decider {
  /** Is he still connected? */
  active(): boolean;
}

/**
 * Must be called as the last thing before a commit.
 *
 * @param since when the caller arrived, by the clock of `performance.now()`; absent if he waits for as long as it takes
 * @throws Error if nothing may be stored for him any more: he is gone, or would be refused before the commit is decided
 */
export function requireAwaited(caller: Decider, since?: number): void {
  if (since !== undefined && performance.now() - since > commitLimitMs) throw new Error("waited too long to be stored");
  if (!caller.active()) throw new Error("the caller is gone");
}

/**
 * Stores what somebody decided in one transaction. What is refused is not stored later.
 *
 * @throws ServiceError `store-unavailable` as `withStore`; then nothing is stored
 */
export function storeDecision<Done>(
  { decisions }: Pick<Database, "decisions">,
  caller: Decider,
  decide: (trx: Knex.Transaction) => Promise<Done>,
): Promise<Done> {
  const since = performance.now();
  return withStore(() =>
    decisions.transaction(async (trx) => {
      const done = await decide(trx);
      requireAwaited(caller, since);
      return done;
    }),
  );
}
