import type { Logger } from "pino";

/** What was done about too much load. */
export type Refusal = "request_refused" | "connection_closed" | "body_cut_off";

/** How often refusals are logged, in milliseconds: a line for each would add to the load. */
const reportEveryMs = 10_000;

/** Logs that refusing has begun, and while it lasts how much was refused. */
export function logRefusals(logger: Logger): (what: Refusal) => void {
  const counts = new Map<Refusal, number>();
  let reporting = false;

  function report(): void {
    reporting = counts.size > 0;
    if (!reporting) return;
    logger.warn(Object.fromEntries(counts), "overloaded: refused in the last 10 s");
    counts.clear();
    setTimeout(report, reportEveryMs).unref();
  }

  return (what) => {
    if (reporting) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      return;
    }
    reporting = true;
    logger.warn({ [what]: 1 }, "overloaded: refusing what there is no room for");
    setTimeout(report, reportEveryMs).unref();
  };
}
