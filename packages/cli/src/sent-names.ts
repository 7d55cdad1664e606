import { UsageError } from "@maturity/command-line/usage-error";
import { nameFault } from "@maturity/core/wire";
import type { Settings } from "./settings.ts";

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
