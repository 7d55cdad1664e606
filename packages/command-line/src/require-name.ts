import { nameFault } from "@maturity/core/wire";
import { UsageError } from "./usage-error.ts";

/**
 * Checks a name by the rule of the service. So a bad name is refused before anything is sent, and also with
 * `--dry-run`.
 *
 * @param what where the name comes from, such as `--type`
 * @param maximum its greatest length, in characters (code points)
 * @throws UsageError that says what is wrong with the name
 */
export function requireName(what: string, name: string, maximum?: number): void {
  const fault = nameFault(name, maximum);
  if (fault) throw new UsageError(`${what} ${fault}`);
}
