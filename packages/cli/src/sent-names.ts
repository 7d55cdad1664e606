import { nameFault } from "@maturity/core";
import type { Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Refuses a name that the service would refuse, by the rule of the service: before anything is sent, and where nothing is.
 *
 * @param what what names it, such as `--type`
 * @param maximum characters (code points)
 * @throws UsageError that says what is wrong with the name
 */
export function requireName(what: string, name: string, maximum?: number): void {
  const fault = nameFault(name, maximum);
  if (fault) throw new UsageError(`${what} ${fault}`);
}

/** `requireName` for the settings that are sent with a report, as far as they are there. @throws UsageError */
export function requireSentNames(settings: Settings): void {
  const [fault] = settingFaults(settings);
  if (fault) throw new UsageError(fault);
}

/** Why the service would refuse the names that settings give, with where each is from. */
export function settingFaults({ area, team, app, env, chat_channel }: Settings): string[] {
  return Object.entries({ area, team, app, env, chat_channel }).flatMap(([name, setting]) => {
    const fault = setting && nameFault(setting.value);
    return fault ? [`${name} (${setting.from}) ${fault}`] : [];
  });
}
