import { type ConstructorOptions, type fromKnex, fromPglite, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { type Database, withoutRow } from "../store/database.ts";
import type { Problem } from "../store/problems.ts";

/** An alert as the queues hold it. */
export interface AlertJob {
  readonly channel: string;
  /** Names the opening of the problem; its alerts share a thread. */
  readonly thread: string;
  readonly text: string;
  readonly problem: Pick<Problem, "area" | "team" | "app" | "env" | "problem_type">;
  /** Why it was given up; only in the queue of the dead. */
  readonly reason?: string;
}

/** Where alerts wait. Those of one channel form a group. */
export const queueName = "alerts";

/** Where alerts are kept that were given up. */
export const deadQueueName = "alerts-dead";

/** What a process sends and does not vouch for during so many seconds is sent by another one. */
export const heartbeatSeconds = 30;

/** The longest wait that a `Retry-After` can ask for, in seconds. */
export const longestWait = 3_600;

const day = 86_400;

/** Twelve further tries with pauses that double from 2 s to 10 min: about an hour in all. */
const retries = { retryLimit: 12, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };

/** How often pg-boss looks for what no process vouches for, and counts the queues. */
const looks = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };

/** pg-boss with the queues of alerts. An alert that waits is never too old: `retentionSeconds` is ten years. */
export async function startPgBoss(database: Database, logger: Logger): Promise<PgBoss> {
  const boss = createPgBoss(database, looks);
  boss.on("error", (error) => logUnreachable(logger, error));
  await boss.start();
  await boss.createQueue(deadQueueName, {
    ...{ heartbeatSeconds, retryLimit: 1_000 },
    ...{ retentionSeconds: 90 * day, deleteAfterSeconds: 90 * day },
  });
  await boss.createQueue(queueName, {
    ...{ deadLetter: deadQueueName, heartbeatSeconds, expireInSeconds: 2 * longestWait, ...retries },
    ...{ retentionSeconds: 3_650 * day, deleteAfterSeconds: day },
  });
  await lookUpQueues(boss);
  return boss;
}

/** The same for a command, which neither sends nor sets anything up. Undefined where there never was a queue. */
export async function withPgBoss<T>(database: Database, work: (boss: PgBoss) => Promise<T>): Promise<T | undefined> {
  const boss = createPgBoss(database, { supervise: false, migrate: false });
  boss.on("error", () => {}); // the call that fails is told too
  if (!(await boss.isInstalled())) return undefined;
  await boss.start();
  try {
    await lookUpQueues(boss);
    return await work(boss);
  } finally {
    await boss.stop({ close: false, graceful: false });
  }
}

/** Logs that a call to the database failed, which is made again. */
export function logUnreachable(logger: Logger, error: unknown): void {
  logger.error({ err: withoutRow(error) }, "the alert queue cannot reach the database");
}

function createPgBoss(database: Database, options: ConstructorOptions): PgBoss {
  return new PgBoss({ db: adapter(database), backend: database.engine, schedule: false, ...options });
}

/** pg-boss reads a queue when it is first used. Within a transaction the embedded database has no connection for that. */
async function lookUpQueues(boss: PgBoss): Promise<void> {
  for (const name of [queueName, deadQueueName]) await boss.findJobs(name, { key: "", queued: true });
}

/**
 * pg-boss on the connections of the store. Where a block of its statements fails, the transaction it began is rolled
 * back before the connection serves others. On the embedded database its statements wait for transactions to end.
 */
function adapter({ engine, background }: Database): ReturnType<typeof fromKnex> {
  return {
    async executeSql(text, values) {
      const connection = await background.client.acquireConnection();
      try {
        if (engine === "pglite") return await fromPglite(connection).executeSql(text, values);
        const results: { rows: unknown[] }[] = [await connection.query(text, values)].flat();
        return { rows: results.flatMap(({ rows }) => rows) };
      } catch (error) {
        await connection.query("ROLLBACK").catch(() => {});
        throw error;
      } finally {
        await background.client.releaseConnection(connection);
      }
    },
  };
}
