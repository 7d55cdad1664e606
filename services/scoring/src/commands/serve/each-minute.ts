import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { withoutRow } from "../../store/failures.ts";

const minuteMs = 60_000;

/**
 * Looks each minute whether there is work, and does it. What fails is logged, and tried again at the next look.
 *
 * @param failed what the log says then
 * @returns a function that stops it. It waits at most this many milliseconds; what is not finished is done again by the next
 * process.
 */
export function eachMinute(
  work: (signal: AbortSignal) => Promise<unknown>,
  { logger, failed }: { readonly logger: Logger; readonly failed: string },
): (timeoutMs: number) => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((error) => {
        if (!signal.aborted) logger.error({ err: withoutRow(error) }, failed);
      });
      await sleep(minuteMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return async (timeoutMs) => {
    stopping.abort();
    await Promise.race([running, sleep(timeoutMs, undefined, { ref: false })]);
  };
}
