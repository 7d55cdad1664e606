import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Database, withoutRow } from "../store/database.ts";
import { type DayOptions, writeNextDay } from "./day.ts";
import { prune } from "./prune.ts";

/** Pause between two looks for a day that is due, in milliseconds. */
const lookMs = 60_000;

/** What the daily work needs. */
export interface DaysDependencies extends Omit<DayOptions, "signal"> {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Writes the roll-ups of each day once, whatever number of processes do this, and those of days that were missed.
 * Whoever has written the last missing day deletes what is too old.
 *
 * @returns a function that stops it. It waits at most this many milliseconds; what is not finished is done again by the
 * next process.
 */
export function startDays({ database, logger, ...options }: DaysDependencies): (timeoutMs: number) => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function work(): Promise<void> {
    let hasWritten = false;
    for (;;) {
      const written = await writeNextDay(database, { ...options, signal });
      if (!written) break;
      logger.info(written, "the roll-ups of a day are written");
      hasWritten = true;
    }
    if (!hasWritten) return;
    const deleted = await prune(database, { ...options, signal });
    if (deleted > 0) logger.info({ deleted }, "what is too old is deleted");
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error) => {
        if (!signal.aborted) logger.error({ err: withoutRow(error) }, "the roll-ups of the day are not written yet");
      });
      await sleep(lookMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return async (timeoutMs) => {
    stopping.abort();
    await Promise.race([running, sleep(timeoutMs, undefined, { ref: false })]);
  };
}
