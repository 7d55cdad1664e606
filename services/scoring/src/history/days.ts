import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import { type DayOptions, writeNextDay } from "./day.ts";
import { rewriteNextDay } from "./rewritten-days.ts";

/** The dependencies of the daily work. */
export interface DaysDependencies extends DayOptions {
  /** Who appears in the audit. */
  readonly actor: string;
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Writes the roll-ups of each day once, in whichever process, and those of missed days, and again those of days whose past
 * has changed.
 *
 * @returns whether this process has written a day
 */
export async function writeDays({ database, logger, ...options }: DaysDependencies): Promise<boolean> {
  let hasWritten = false;
  for (;;) {
    const written = await writeNextDay(database, options);
    if (!written) break;
    logger.info(written, "the roll-ups of a day are written");
    hasWritten = true;
  }
  for (;;) {
    options.signal.throwIfAborted();
    const rewritten = await rewriteNextDay(database, options);
    if (!rewritten) break;
    logger.info(rewritten, "the roll-ups of a day are written again");
  }
  return hasWritten;
}
