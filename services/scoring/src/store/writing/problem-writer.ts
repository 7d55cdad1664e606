import type { Knex } from "knex";
import type { Problem } from "../../model/problem.ts";
import { problemKey, type StoredProblem, saveProblem } from "../problems.ts";
import { inTransaction } from "../transaction.ts";
import { createBatcher, type Save } from "./batcher.ts";

/** A report to store. */
export interface ProblemReport {
  readonly problem: Problem;
  /** Runs in the same transaction. */
  also(trx: Knex.Transaction, stored: StoredProblem): Promise<void>;
}

export interface ProblemWriter {
  readonly save: Save<ProblemReport, StoredProblem>;
}

/** Makes the writer for all problems of a process. Each is stored in a transaction of its own. */
export function createProblemWriter(knex: Knex): ProblemWriter {
  const connections: number = knex.client.pool.max;
  const save = createBatcher<ProblemReport, StoredProblem>({
    store: (reports, { lockMs, signal }) =>
      inTransaction(knex, async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${lockMs}`);
        const answers: StoredProblem[] = [];
        for (const { problem, also } of reports) {
          const stored = await saveProblem(trx, problem);
          await also(trx, stored);
          answers.push(stored);
        }
        signal.throwIfAborted();
        return answers;
      }),
    rowsOf: ({ problem }) => [problemKey(problem)],
    ...{ maxRows: 1, atOnce: connections, connections },
  });
  return { save };
}
