import { MaturityClientError } from "./errors.ts";
import { type Attempted, type Patience, withRetries } from "./retry.ts";

/** By its value the service knows a request that it has answered before. */
const keyHeader = "Idempotency-Key";

/**
 * Has something made once: the service makes nothing again for a request with the same key. A refusal after a lost answer
 * does not say whether the first request made it.
 *
 * @param send one attempt, with the headers of all of them
 * @throws MaturityClientError `inDoubt` where it may be made all the same
 */
export async function madeOnce<Value>(
  send: (limit: AbortSignal, headers: Readonly<Record<string, string>>) => Promise<Attempted<Value>>,
  patience: Patience,
  signal?: AbortSignal,
): Promise<Value> {
  const headers = { [keyHeader]: createKey() };
  let inDoubt = false;

  async function attempt(limit: AbortSignal): Promise<Attempted<Value>> {
    const outcome = await send(limit, headers);
    if ("value" in outcome) return outcome;
    inDoubt ||= outcome.failure.inDoubt === true;
    return { failure: { ...outcome.failure, inDoubt } };
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

/** A key that no other call has. `crypto.randomUUID` would be missing on pages without TLS. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
