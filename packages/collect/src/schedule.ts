/** A clock, and chance. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Waits this number of milliseconds; rejects with the signal's reason when it aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** By this share of the interval a run may begin earlier or later, so that many of these do not run at once. */
const jitter = 0.05;

/**
 * Runs at this interval, from begin to begin, with some chance in it; never two at once,
 * and a run that takes longer than the interval is followed by the next at once. Ends once the signal aborts, a run under
 * way included.
 *
 * @param run whose errors end it, but for those that the signal aborts with
 */
export async function every(
  intervalMs: number,
  run: (signal: AbortSignal) => Promise<void>,
  { now, random, sleep }: Clock,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const begin = now();
      await run(signal);
      const share = 1 + jitter * (2 * random() - 1);
      await sleep(Math.max(0, begin + intervalMs * share - now()), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
