import type { Knex } from "knex";
import { invalidPayload } from "../model/errors.ts";
import type { Bounded } from "../model/grant.ts";
import { findUnknownEnv, findUnknownName } from "../store/near-names.ts";
import { nameOf } from "./current-name.ts";

type Named = Parameters<typeof nameOf>[0] & { readonly env?: string | null };

/**
 * Refuses a waiver of a name that nothing has: most likely it is mistyped, and would waive nothing without a word.
 *
 * @param current the waiver under the current name
 * @param given the waiver as sent
 * @param reach the bounds of the caller, who learns no name outside of them
 * @throws ServiceError `invalid-payload`, naming the field and what there is in its place
 */
export async function requireKnown(trx: Knex.Transaction, current: Named, given: Named, reach: Bounded): Promise<void> {
  const name = nameOf(current);
  const unknown = await findUnknownName(trx, name, "shown", reach);
  if (unknown) {
    const { field: path } = unknown;
    // A name that leads on from a former one is shown as it was sent.
    const message =
      given[path] === current[path]
        ? orElse(unknown.message, "a name is known once an application reports under it or is registered")
        : `there is no ${path} ${JSON.stringify(given[path])} any more`;
    throw invalidPayload([{ path, message: `is unknown: ${message}` }]);
  }
  const message = current.env == null ? undefined : await findUnknownEnv(trx, name, current.env);
  if (message === undefined) return;
  const whole = orElse(message, "without env, all environments are waived");
  throw invalidPayload([{ path: "env", message: `is unknown: ${whole}` }]);
}

/** The message with what else there is to do, unless it asks for a near name. */
function orElse(message: string, rest: string): string {
  return message.endsWith("?") ? message : `${message}; ${rest}`;
}
