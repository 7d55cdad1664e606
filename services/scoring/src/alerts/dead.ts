import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import { revive } from "./moves.ts";
import { type AlertJob, deadQueueName } from "./pg-boss.ts";

/** An alert that was given up after its last try, or because the chat service refused it for good. */
export interface DeadAlert extends Required<AlertJob> {
  readonly id: string;
  /** When it was given up. */
  readonly at: Date;
}

/** All that were given up and not put back, the oldest first. They are kept for 90 days. */
export async function listDead(boss: PgBoss): Promise<DeadAlert[]> {
  const jobs = (await boss.findJobs<AlertJob>(deadQueueName)) as JobWithMetadata<AlertJob>[];
  return jobs.map(deadAlert).sort((one, other) => Number(one.at) - Number(other.at));
}

/** Puts one back into the queue, as new. False when there is none of this id any more. */
export function retryDead(
  stores: { readonly boss: PgBoss; readonly database: Database },
  { id, channel, thread, text, problem }: DeadAlert,
): Promise<boolean> {
  return revive(stores, id, { channel, thread, text, problem });
}

/**
 * Tells of each alert that was given up, however that came about. Of all processes one tells, and should it end
 * meanwhile another one does.
 */
export async function watchDead(boss: PgBoss, logger: Logger, onDead: () => void): Promise<void> {
  const options = { includeMetadata: true, batchSize: 100, burstWhenBatchFull: true } as const;
  await boss.work(deadQueueName, options, async (jobs: JobWithMetadata<AlertJob>[]) => {
    for (const { id, channel, reason } of jobs.map(deadAlert)) {
      logger.error(
        { alert: id, channel, reason },
        "an alert was given up; `maturity-service alerts` lists it and retries",
      );
      onDead();
    }
  });
}

/** Those that pg-boss itself gave up have no reason of ours: the process that held them did not say what became of it. */
function deadAlert({ id, createdOn, data }: JobWithMetadata<AlertJob>): DeadAlert {
  return { reason: "no process finished sending it", ...data, id, at: createdOn };
}
