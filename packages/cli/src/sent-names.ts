import { nameFault } from "@maturity/core/wire";
import type { Settings } from "./settings.ts";
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

/**
 * Checks the settings that are sent with a report. Missing ones are no fault.
 *
 * @throws UsageError
 */
export function requireSentNames(settings: Settings): void {
  const [fault] = settingFaults(settings);
  if (fault) throw new UsageError(fault);
}

/** The reasons for which the service would refuse these settings. Each says where the setting comes from. */
export function settingFaults({ area, team, app, env, chat_channel }: Settings): string[] {
  return Object.entries({ area, team, app, env, chat_channel }).flatMap(([name, setting]) => {
    const fault = setting && nameFault(setting.value);
    return fault ? [`${name} (${setting.from}) ${fault}`] : [];
  });
}
