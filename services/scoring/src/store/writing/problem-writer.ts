import type { Knex } from "knex";
import type { Problem } from "../../model/problem.ts";
import { problemId, type StoredProblem, saveProblem } from "../problems.ts";
import { createAttempt } from "./attempt.ts";
import { createFindFree } from "./free-rows.ts";
import { createLanes } from "./lanes.ts";
import { createWaitingRoom } from "./waiting-room.ts";

/** Stores problems, each in a transaction of its own. */
export interface ProblemWriter {
  /** Returns once it is committed. */
  save(report: ProblemReport): Promise<StoredProblem>;
}

/** A report to store. */
export interface ProblemReport {
  readonly problem: Problem;
  /** Runs in the same transaction. */
  also(trx: Knex.Transaction, stored: StoredProblem): Promise<void>;
  /** Does the caller still wait? Otherwise the report is not stored. */
  isAwaited(): boolean;
  /** When the caller arrived, by the clock of `performance.now()`; by default now. */
  readonly since?: number;
}

/**
 * How long a report waits for a locked row inside its transaction, in milliseconds. After that it waits without one.
 */
const lockMs = 5;

/** Makes the writer for all problems of a process. It works with any number of connections, even with one. */
export function createProblemWriter(knex: Knex): ProblemWriter {
  const store = ({ problem, also }: ProblemReport, requireAwaited: () => void) =>
    knex.transaction(async (trx) => {
      await trx.raw(`SET LOCAL lock_timeout = ${lockMs}`);
      const stored = await saveProblem(trx, problem);
      await also(trx, stored);
      requireAwaited();
      return stored;
    });
  const attempt = createAttempt<ProblemReport, StoredProblem>(
    (reports, requireAwaited) => Promise.all(reports.map((report) => store(report, requireAwaited))),
    1,
  );
  const lane = createLanes(attempt, createWaitingRoom(attempt, createFindFree(knex, "problems")));
  const connections: number = knex.client.pool.max;
  const { push } = lane({ maxRows: 1, atATime: connections, atMost: connections });
  return {
    save: (report) =>
      new Promise((resolve, reject) => {
        const ids = [problemId(report.problem)];
        const { isAwaited, since = performance.now() } = report;
        push({ value: report, ids, since, isAwaited, resolve, reject });
      }),
  };
}
