import pRetry from "p-retry";
import { after, longestTimerMs, within } from "./bounds.ts";
import { type Failure, MaturityClientError } from "./errors.ts";

/** The result of an attempt. */
export type Attempted<Value> = { readonly value: Value } | { readonly failure: Failure };

/** A pause that is about to begin. */
export interface Retry {
  /** Number of failed attempts so far. */
  readonly attempts: number;
  /** Length of the pause, in milliseconds. */
  readonly pauseMs: number;
  /** The message of the last failure. */
  readonly reason: string;
}

/** The limits of a call. */
export interface Patience {
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Time limit of all attempts and pauses, in milliseconds. */
  readonly giveUpAfterMs: number;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The library pauses nowhere: each pause is as long as the service asks, and `pauseAfter` longer. */
const forEver = { retries: Number.POSITIVE_INFINITY, minTimeout: 0, maxTimeout: 0 };

/**
 * The pause after so many failed attempts, in milliseconds. It doubles from 250 ms to 10 s. Chance makes it up to twice as
 * long, so that clients that failed together do not come back together.
 */
function pauseAfter(attempts: number): number {
  return Math.min(10_000, Math.round((1 + Math.random()) * 250 * 2 ** (attempts - 1)));
}

/**
 * Tries until an attempt succeeds, a failure is final, or the next pause would end after the limit. Before each further
 * attempt it waits as long as the service asks, and then a pause of its own.
 *
 * @param signal ends it, pauses included, with the signal's reason
 * @throws MaturityClientError for the last attempt that had its whole time, or else for the first
 */
export async function withRetries<Value>(
  attempt: (signal: AbortSignal) => Promise<Attempted<Value>>,
  { timeoutMs, giveUpAfterMs, now, onRetry }: Patience,
  signal?: AbortSignal,
): Promise<Value> {
  const deadline = now() + giveUpAfterMs;
  let former: { readonly failure: Failure; readonly error: Error } | undefined;

  async function tryOnce(attempts: number): Promise<Value> {
    const restMs = deadline - now();
    const limit = after(Math.min(timeoutMs, restMs));
    const outcome = await attempt(signal ? AbortSignal.any([signal, limit]) : limit);
    if ("value" in outcome) return outcome.value;
    const cutShort = limit.aborted && restMs < timeoutMs && outcome.failure.status === undefined;
    const failure = (cutShort && former?.failure) || outcome.failure; // which says more than that the time was up
    former = { failure, error: new MaturityClientError(failure, attempts) };
    throw former.error;
  }

  return await pRetry(tryOnce, {
    ...{ ...forEver, ...(signal && { signal }) },
    async shouldRetry({ error, attemptNumber }) {
      if (error !== former?.error) return false; // it came from the caller's own code
      const { retryAfterMs, message } = former.failure;
      if (retryAfterMs === undefined) return false;
      const pauseMs = retryAfterMs + pauseAfter(attemptNumber);
      if (now() + pauseMs >= deadline) return false;
      onRetry?.({ attempts: attemptNumber, pauseMs, reason: message });
      await sleep(pauseMs, signal);
      return true;
    },
  });
}

/** The wait that a `Retry-After` header asks for, in milliseconds. 0 if it has neither seconds nor a date. */
export function retryAfter(header: string | null, now: number): number {
  const seconds = /^\d+$/.test(header ?? "") ? Number(header) : (Date.parse(header ?? "") - now) / 1_000;
  return seconds > 0 ? Math.ceil(seconds * 1_000) : 0;
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, longestTimerMs));
  });
  await (signal ? within(signal, over) : over).finally(() => clearTimeout(timer));
}
