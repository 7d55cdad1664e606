import { setTimeout as sleep } from "node:timers/promises";
import { fromKnex, type JobWithMetadata } from "pg-boss";
import { withoutRow } from "../store/database.ts";
import { oneAtATime } from "../store/one-at-a-time.ts";
import { type DeliveryDependencies, deliver } from "./delivery.ts";
import { type AlertJob, heartbeatSeconds, logUnreachable, queueName } from "./pg-boss.ts";

/** How often a process looks for new alerts, in milliseconds. It looks at once when it is done with one. */
const lookMs = 1_000;

/** How many channels a process serves at a time. Most of them rest, or wait for as long as the chat service asked. */
const maxChannels = 1_000;

/** How often a process vouches for what it holds; it may miss two times. */
const heartbeatMs = (heartbeatSeconds * 1_000) / 3;

/**
 * Delivers what is in the queue, of each channel one alert at a time over all processes: while one is held, the channel's
 * others are not taken. A channel that waits or fails takes no place from another.
 *
 * @returns how to stop: takes no more, and waits so many milliseconds at the most for what is being sent
 */
export function startDispatch(deps: DeliveryDependencies): (timeoutMs: number) => Promise<void> {
  const { boss, database, logger } = deps;
  const held = new Map<JobWithMetadata<AlertJob>, Promise<void>>();
  const stopping = new AbortController();
  let pause = new AbortController();

  /** The oldest alert that may be sent now. Taken one at a time, since two processes could take two of one channel. */
  function take(): Promise<JobWithMetadata<AlertJob> | undefined> {
    return oneAtATime(database.background, async (trx) => {
      const options = { groupConcurrency: 1, includeMetadata: true, db: fromKnex(trx) } as const;
      const [job] = await boss.fetch<AlertJob>(queueName, options);
      return job;
    });
  }

  function start(job: JobWithMetadata<AlertJob>): void {
    const delivery = deliver(deps, job, stopping.signal)
      .catch((error) =>
        logger.error({ err: withoutRow(error), alert: job.id }, "what came of an alert could not be noted"),
      )
      .finally(() => {
        held.delete(job);
        pause.abort();
      });
    held.set(job, delivery);
  }

  async function takeAll(): Promise<void> {
    while (held.size < maxChannels && !stopping.signal.aborted) {
      const job = await take();
      if (!job) return;
      start(job);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await takeAll().catch((error) => logUnreachable(logger, error));
      await sleep(lookMs, undefined, { signal: pause.signal }).catch(() => {});
      pause = new AbortController();
    }
  }

  const running = run();
  const vouch = () => boss.touch(queueName, [...held.keys()]).catch((error) => logUnreachable(logger, error));
  const heartbeat = setInterval(() => held.size > 0 && void vouch(), heartbeatMs);

  return async (timeoutMs) => {
    stopping.abort();
    pause.abort();
    await running;
    await Promise.race([Promise.all(held.values()), sleep(timeoutMs, undefined, { ref: false })]);
    clearInterval(heartbeat);
  };
}
