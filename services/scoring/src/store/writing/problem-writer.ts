import type { Knex } from "knex";
import type { Bounded } from "../../model/grant.ts";
import type { Problem } from "../../model/problem.ts";
import type { Unregistered } from "../../model/unregistered.ts";
import { type ExecutedOnce, executeOnce, type IdempotencyKey } from "../idempotency-keys.ts";
import { problemKey, type StoredProblem, saveProblem } from "../problems.ts";
import { inTransaction } from "../transaction.ts";
import { createBatcher, type Save } from "./batcher.ts";

/** A problem to store. */
export interface ProblemReport {
  readonly problem: Problem;
  /** The bounds of the caller, who learns no name outside of them; absent, it learns no name. */
  readonly reach?: Bounded;
  /** A problem with a key is stored once. */
  readonly key?: IdempotencyKey | undefined;
  /** Completes a problem in the transaction that stores it. Returns the answer, in values of JSON. */
  complete(trx: Knex.Transaction, stored: StoredProblem): Promise<object>;
}

export type ProblemWriter = Save<ProblemReport, ExecutedOnce<object>>;

/** Makes the writer of all problems of a process. Each is stored in a transaction of its own. */
export function createProblemWriter(knex: Knex, unregistered: Unregistered = "accept"): ProblemWriter {
  const connections: number = knex.client.pool.max;
  return createBatcher<ProblemReport, ExecutedOnce<object>>({
    store: (reports, { lockMs, signal }) =>
      inTransaction(knex, async (trx) => {
        const [{ problem, reach, key, complete }] = reports as [ProblemReport];
        await trx.raw(`SET LOCAL lock_timeout = ${lockMs}`);
        const save = async () => complete(trx, await saveProblem(trx, problem, unregistered, reach));
        const answer = await executeOnce(trx, key, save);
        signal.throwIfAborted();
        return [answer];
      }),
    rowsOf: ({ problem }) => [problemKey(problem)],
    ...{ maxRows: 1, atOnce: connections, connections },
  });
}
