import { MaturityClientError } from "./errors.ts";
import { type Attempted, type Patience, withRetries } from "./retry.ts";

/** By its value the service knows a request that it has answered before. */
export const keyHeader = "Idempotency-Key";

/** A key that no other call has. `crypto.randomUUID` would be missing on pages without TLS. */
export function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Has something made once. What the service itself refuses is not made, so that may be sent again. Where an answer is
 * missing, or comes from a proxy that may have passed the request on, it is sent again only to a service that heeds keys.
 *
 * @param send one attempt, with the same key each time
 * @param asksHeed one attempt to ask the service whether it heeds keys
 * @throws MaturityClientError `inDoubt` where it may be made all the same
 */
export async function madeOnce<Value>(
  send: (limit: AbortSignal) => Promise<Attempted<Value>>,
  asksHeed: (limit: AbortSignal) => Promise<Attempted<boolean>>,
  patience: Patience,
  signal?: AbortSignal,
): Promise<Value> {
  const deadline = patience.now() + patience.giveUpAfterMs;
  let inDoubt = false;
  let heeds: boolean | undefined;

  function heedsKeys(): Promise<boolean> {
    const rest = { ...patience, giveUpAfterMs: deadline - patience.now() };
    return withRetries(asksHeed, rest, signal).catch(() => {
      signal?.throwIfAborted();
      return false;
    });
  }

  async function attempt(limit: AbortSignal): Promise<Attempted<Value>> {
    const outcome = await send(limit);
    if ("value" in outcome) return outcome;
    inDoubt ||= outcome.failure.inDoubt === true;
    if (!inDoubt) return outcome;
    const { retryAfterMs, ...failure } = { ...outcome.failure, inDoubt };
    if (retryAfterMs === undefined) return { failure };
    heeds ??= await heedsKeys();
    return { failure: heeds ? { ...failure, retryAfterMs } : failure };
  }

  try {
    return await withRetries(attempt, patience, signal);
  } catch (error) {
    if (error instanceof MaturityClientError && error.inDoubt) {
      error.message += "; it may be done all the same, so look before you do it again";
    }
    throw error;
  }
}
