import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** The end of the process. */
export interface Lifecycle {
  /** Aborted once a stop has begun. The process serves on for a while, and sends its callers elsewhere. */
  readonly stopping: AbortSignal;
  /**
   * Tells what a stop has to finish. Before, a stop ends the process at once.
   *
   * @param graceMs so long a stop may take, in milliseconds
   * @param finish finishes what is under way, within so many milliseconds
   */
  onStop(graceMs: number, finish: (timeoutMs: number) => Promise<void>): void;
}

/** Of the grace, the share for which a process that got SIGTERM serves on, until a balancer has seen it go. */
const drainShare = 0.5;

/** Of what is left then, the share for requests and alerts under way; the rest is for closing the database. */
const finishShare = 0.8;

/**
 * Ends the process with exit code 0 on SIGTERM, as orchestrators send it, and on SIGINT, as Ctrl-C does: there nobody
 * balances, and it stops serving at once, also after SIGTERM. A signal sent twice is one, since whoever forwards them may
 * send it again.
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
    if (work) await within(work.graceMs, work.finish);
    logger.info("stopped");
    process.exit(0);
  }

  async function within(graceMs: number, finish: (timeoutMs: number) => Promise<void>): Promise<void> {
    const end = performance.now() + graceMs;
    setTimeout(() => {
      logger.warn("stopped; what was still under way is broken off");
      process.exit(0);
    }, graceMs);
    await sleep(graceMs * drainShare, undefined, { signal: interrupted.signal }).catch(() => {});
    await finish((end - performance.now()) * finishShare).catch((error) =>
      logger.error({ err: error }, "while stopping"),
    );
  }

  process.on("SIGTERM", stop).on("SIGINT", stop);
  return {
    stopping: stopping.signal,
    onStop(graceMs, finish) {
      work = { graceMs, finish };
    },
  };
}
