import type { Listing } from "@maturity/client";
import { UsageError } from "@maturity/command-line/usage-error";

/** How much of an id a table shows: enough to distinguish the rows, and to name one. */
export const shownId = 8;

/** Whether this is a whole id, for which no list need be read. */
export function isWholeId(given: string): boolean {
  return given.length === 36;
}

/** @throws UsageError for a text that is no id of this noun, such as `waiver`, and no beginning of one */
export function requireId(noun: string, given: string): void {
  if (/^[\da-f-]{4,36}$/i.test(given)) return;
  throw new UsageError(
    `${JSON.stringify(given)} is no id of a ${noun}, nor the first 4 characters of one; maturity ${noun} list has them`,
  );
}

/**
 * The item whose id begins so, of the first list that has one.
 *
 * @param noun what an item is called, such as `waiver`
 * @param command that lists all of them
 * @throws UsageError if none has one, or a list has several
 */
export async function findById<Item extends { readonly id: string }>(
  noun: string,
  beginning: string,
  lists: readonly Listing<Item>[],
  command = `maturity ${noun} list`,
): Promise<Item> {
  for (const list of lists) {
    const found = (await list.toArray().catch(adviseWholeId)).filter(({ id }) =>
      id.startsWith(beginning.toLowerCase()),
    );
    if (found.length > 1) {
      throw new UsageError(`several ${noun}s begin with ${beginning}: ${found.map(({ id }) => id).join(", ")}`);
    }
    if (found[0]) return found[0];
  }
  throw new UsageError(`no ${noun} has an id that begins with ${beginning}; ${command} has them`);
}

/** Says of a token that may not read the list how it can name an item all the same. */
function adviseWholeId(error: unknown): never {
  if (error instanceof Error && "code" in error && error.code === "forbidden") {
    error.message += "; to look for an id by its beginning, which the whole id does not need";
  }
  throw error;
}
