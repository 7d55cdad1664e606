import type { Knex } from "knex";
import type { Database } from "./database.ts";
import { withStore } from "./failures.ts";

/**
 * Stores a decision in one transaction. A refused decision is not stored later.
 *
 * @param signal nothing is stored once it is aborted
 * @throws ServiceError `store-unavailable` as `withStore`; then nothing is stored
 */
export function storeDecision<Done>(
  { decisions }: Pick<Database, "decisions">,
  signal: AbortSignal,
  decide: (trx: Knex.Transaction) => Promise<Done>,
): Promise<Done> {
  const store = () =>
    decisions.transaction(async (trx) => {
      signal.throwIfAborted(); // it may have waited for a connection
      const done = await decide(trx);
      signal.throwIfAborted();
      return done;
    });
  return withStore(store, signal);
}
