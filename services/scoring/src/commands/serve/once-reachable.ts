import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { explainDatabase } from "../../store/explain-database.ts";
import { isUnreachable } from "../../store/failures.ts";

/** Repeats a call until the database is reachable, so that the service may start before its database. */
export async function onceReachable<T>(call: () => Promise<T>, logger: Logger): Promise<T> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5_000)) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      logger.warn(
        { reason: explainDatabase(error) ?? String(error) },
        `the database is not reachable; next try in ${pauseMs} ms`,
      );
      await sleep(pauseMs);
    }
  }
}
