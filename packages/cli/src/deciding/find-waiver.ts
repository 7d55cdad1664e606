import type { AnySubmission, Client, Waiver } from "@maturity/client";
import { UsageError } from "@maturity/command-line/usage-error";

/**
 * The waiver whose id begins so: of those in this state if one of them does, else of all.
 *
 * @param given a whole id, or at least the first 4 characters of one
 * @throws UsageError if there is none, or there are several
 */
export function findWaiver(client: Client<AnySubmission>, given: string, state: Waiver["state"]): Promise<Waiver> {
  return findBeginning(client, given.toLowerCase(), state).catch(adviseWholeId);
}

/** @throws UsageError for a text that is no id of a waiver and no beginning of one */
export function requireWaiverId(given: string): void {
  if (/^[\da-f-]{4,36}$/i.test(given)) return;
  throw new UsageError(
    `${JSON.stringify(given)} is no id of a waiver, nor the first 4 characters of one; maturity waiver list has them`,
  );
}

/** Whether this is a whole id, for which no list need be read. */
export function isWholeId(given: string): boolean {
  return given.length === 36;
}

async function findBeginning(
  client: Client<AnySubmission>,
  beginning: string,
  state: Waiver["state"],
): Promise<Waiver> {
  for (const query of [{ state }, { all: true }]) {
    const found: Waiver[] = [];
    for await (const waiver of client.waivers(query)) if (waiver.id.startsWith(beginning)) found.push(waiver);
    const [waiver, ...others] = found;
    if (others.length > 0) {
      throw new UsageError(`several waivers begin with ${beginning}: ${found.map(({ id }) => id).join(", ")}`);
    }
    if (waiver) return waiver;
  }
  throw new UsageError(`no waiver has an id that begins with ${beginning}; maturity waiver list --all has them`);
}

/** Says of a token that may not list waivers how it can name one all the same. */
function adviseWholeId(error: unknown): never {
  if (error instanceof Error && "code" in error && error.code === "forbidden") {
    error.message += "; to look for an id by its beginning, which the whole id does not need";
  }
  throw error;
}
