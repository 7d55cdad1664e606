import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import { type DayOptions, writeNextDay } from "./day.ts";
import { prune } from "./prune.ts";

/** What the daily work needs. */
export interface DaysDependencies extends DayOptions {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Writes the roll-ups of each day once, whatever number of processes do this, and those of days that were missed.
 * Whoever has written the last missing day deletes what is too old.
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
  if (!hasWritten) return false;
  const deleted = await prune(database, options);
  if (deleted > 0) logger.info({ deleted }, "what is too old is deleted");
  return true;
}
