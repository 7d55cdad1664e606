import { MaturityClientError } from "./errors.ts";
import { type Attempted, type Patience, withRetries } from "./retry.ts";

/** Names a request, so that the service recognizes it when it comes again. */
const keyHeader = "Idempotency-Key";

/**
 * Sends a request that makes something, with the same key on each attempt, so that the service makes it once. After a lost
 * answer, a refusal does not say whether the first request made it.
 *
 * @param send one attempt, with these headers
 * @throws MaturityClientError `inDoubt` if it may be made nevertheless
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
