import type { Logger } from "pino";
import { createEventCounter } from "./event-counter.ts";

/** Measures against overload. */
export type Refusal =
  | ("request_refused" | "connection_closed" | "body_cut_off")
  | ("scrape_cut_off" | "stream_cut_off" | "open_cut_off");

/** Logs measures against overload in summaries, because a line for each refusal would add to the load. */
export function overloadLog(logger: Logger): (what: Refusal) => void {
  const note = createEventCounter({ everyMs: 10_000, maxNames: 10 }, (what, count) => {
    logger.warn({ [what]: count }, "overloaded: refused what there is no room for");
  });
  return (what) => note(what, undefined);
}

/**
 * Logs the first request of each address that is answered with 401, and then once a minute the number of further ones.
 */
export function unauthorizedLog(logger: Logger): (from: string, request: object) => void {
  return createEventCounter<object>({ everyMs: 60_000, maxNames: 1_000 }, (from, count, last) => {
    logger.info({ from, count, ...last }, "unauthorized");
  });
}
