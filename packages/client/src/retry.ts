import { after, longestTimerMs } from "./bounds.ts";
import { type Failure, MaturityClientError } from "./errors.ts";

/** What an attempt came to. */
export type Attempted<Value> = { readonly value: Value } | { readonly failure: Failure };

/** A pause that is about to begin. */
export interface Retry {
  /** How many attempts failed so far. */
  readonly attempts: number;
  /** How long the pause is, in milliseconds. */
  readonly pauseMs: number;
  /** Why: what the last attempt failed with. */
  readonly reason: string;
}

/** By what to tell time, and chance. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits so many milliseconds; rejects with the signal's reason when it aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** How long to go on. */
export interface Patience extends Clock {
  /** Bound of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Bound of all attempts and the pauses between them, in milliseconds. */
  readonly giveUpAfterMs: number;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/**
 * Attempts until it succeeds, fails for good, or the next pause would end past the bound.
 *
 * @param signal ends it, pauses included, with the signal's reason
 * @throws MaturityClientError what the last attempt failed with that had its whole time, or else the first
 */
export async function withRetries<Value>(
  attempt: (signal: AbortSignal) => Promise<Attempted<Value>>,
  { timeoutMs, giveUpAfterMs, now, sleep, random, onRetry }: Patience,
  signal?: AbortSignal,
): Promise<Value> {
  const deadline = now() + giveUpAfterMs;
  let former: Failure | undefined;
  for (let attempts = 1; ; attempts++) {
    const restMs = deadline - now();
    const limit = after(Math.min(timeoutMs, restMs));
    const outcome = await attempt(signal ? AbortSignal.any([signal, limit]) : limit);
    if ("value" in outcome) return outcome.value;
    const cutShort = limit.aborted && restMs < timeoutMs && outcome.failure.status === undefined;
    const failure = (cutShort && former) || outcome.failure; // which tells more than that the time was up
    former = failure;
    if (failure.retryAfterMs === undefined) throw new MaturityClientError(failure, attempts);
    const pauseMs = pauseAfter(attempts, failure.retryAfterMs, random());
    if (now() + pauseMs >= deadline) throw new MaturityClientError(failure, attempts);
    onRetry?.({ attempts, pauseMs, reason: failure.message });
    await sleep(pauseMs, signal);
  }
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Twice as long after each attempt, and the later half of it by chance, so that callers who failed together do not come
 * back together. Never shorter than the service asks for.
 */
function pauseAfter(attempts: number, askedMs: number, chance: number): number {
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
  return Math.round(Math.max(askedMs, longest / 2) + (chance * longest) / 2);
}

/** The wait a `Retry-After` header asks for, in milliseconds: seconds, or a date. 0 where it says neither. */
export function retryAfter(header: string | null, now: number): number {
  const seconds = /^\d+$/.test(header ?? "") ? Number(header) : (Date.parse(header ?? "") - now) / 1_000;
  return seconds > 0 ? Math.ceil(seconds * 1_000) : 0;
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(milliseconds, longestTimerMs),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** That of the runtime. */
export const systemClock: Clock = { now: Date.now, sleep, random: Math.random };
