import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import { type DayOptions, writeNextDay } from "./day.ts";
import { prune } from "./prune.ts";
import { rewriteNextDay } from "./rewritten-days.ts";

/** The dependencies of the daily work. */
export interface DaysDependencies extends DayOptions {
  /** Who appears in the audit. */
  readonly actor: string;
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Writes the roll-ups of each day once, in whichever process, and those of missed days, and again those of days whose
 * past has changed. The process that has written
 * the last missing day deletes old rows.
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
  if (!hasWritten) return false;
  const deleted = await prune(database, options);
  if (deleted > 0) logger.info({ deleted }, "rows older than the history are deleted");
  return true;
}
