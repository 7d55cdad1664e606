import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { loggable } from "../../store/failures.ts";

/** Stops the process: it drains, finishes and ends. */
export interface Lifecycle {
  /** Aborted when the stop begins. The process serves for a while longer, so that callers can move to another instance. */
  readonly stopping: AbortSignal;
  /**
   * Sets the function that finishes pending work. Without it a stop ends the process at once.
   *
   * @param graceMs time limit of the stop, in milliseconds
   * @param finish finishes pending work within the given number of milliseconds
   */
  onStop(graceMs: number, finish: (timeoutMs: number) => Promise<void>): void;
}

/** Share of the time limit during which the process goes on serving after SIGTERM, so that a balancer can notice. */
const drainShare = 0.5;

/** Share of the remaining time for pending requests and alerts. The rest is for closing the database. */
const finishShare = 0.8;

/**
 * Ends the process with exit code 0 on SIGTERM, which orchestrators send, and on SIGINT, which Ctrl-C sends. SIGINT
 * skips the time for the balancer, also after SIGTERM. A repeated signal counts once, because a process that forwards
 * signals may send it again.
 */
export function endOnSignals(logger: Logger): Lifecycle {
  const stopping = new AbortController();
  const interrupted = new AbortController();
  let work: { graceMs: number; finish: (timeoutMs: number) => Promise<void> } | undefined;

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (signal === "SIGINT") interrupted.abort();
    if (stopping.signal.aborted) return;
    stopping.abort();
    logger.info({ signal }, "stopping");
    if (work) await finishWithin(work.graceMs, work.finish);
    logger.info("stopped");
    process.exit(0);
  }

  /** Serves for the first part of the time, so that callers can move, and then finishes; at its end the process ends anyway. */
  async function finishWithin(graceMs: number, finish: (timeoutMs: number) => Promise<void>): Promise<void> {
    const end = performance.now() + graceMs;
    setTimeout(() => {
      logger.warn("stopped; pending work is cut off");
      process.exit(0);
    }, graceMs);
    await sleep(graceMs * drainShare, undefined, { signal: interrupted.signal }).catch(() => {});
    await finish((end - performance.now()) * finishShare).catch((error) =>
      logger.error({ err: loggable(error) }, "while stopping"),
    );
  }

  process.on("SIGTERM", stop).on("SIGINT", stop);
  // Such as one that a scorer leaves behind: it must not end the service for all.
  process.on("unhandledRejection", (reason) =>
    logger.error({ err: loggable(reason) }, "a rejected promise was not handled"),
  );
  return {
    stopping: stopping.signal,
    onStop(graceMs, finish) {
      work = { graceMs, finish };
    },
  };
}
