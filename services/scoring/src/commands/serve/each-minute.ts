import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { loggable } from "../../store/failures.ts";

const minuteMs = 60_000;

/**
 * Calls a function each minute. A failure is logged, and the next call tries again.
 *
 * @param failed the log message of a failure
 * @param pauseMs the pause after a call, in milliseconds, by default a minute
 * @returns a function that stops the calls. It waits at most this many milliseconds for a call under way; the next process
 * repeats work that is not finished.
 */
export function eachMinute(
  work: (signal: AbortSignal) => Promise<unknown>,
  {
    logger,
    failed,
    pauseMs = minuteMs,
  }: { readonly logger: Logger; readonly failed: string; readonly pauseMs?: number },
): (timeoutMs: number) => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((error) => {
        if (!signal.aborted) logger.error({ err: loggable(error) }, failed);
      });
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return async (timeoutMs) => {
    stopping.abort();
    await Promise.race([running, sleep(timeoutMs, undefined, { ref: false })]);
  };
}
