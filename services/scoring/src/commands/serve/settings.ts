import { loadOidcConfig, type OidcConfig } from "../../auth/oidc-config.ts";
import type { NotifySettings } from "../../notifications/routes.ts";
import { loadRules } from "../../policy/policy-file.ts";
import type { Rules } from "../../policy/rules.ts";
import type { Env } from "../command.ts";
import { type Config, readConfig } from "../config.ts";
import { allOf } from "../explain.ts";
import { loadNotifySettings } from "../notify-settings.ts";
import { declaredEngine } from "./scorecards.ts";

/** The settings, and what the files and packages that they name say. */
export interface Settings {
  readonly config: Config;
  readonly oidc: OidcConfig | undefined;
  /** Absent without a destination of notifications. */
  readonly notify: NotifySettings | undefined;
  readonly rules: Rules;
}

/**
 * Reads the settings, and all files and packages that they name.
 *
 * @throws OperatorError with the faults of all
 */
export async function loadAll(env: Env): Promise<Settings> {
  const { config, fault } = readConfig(env);
  const declared = Promise.resolve(config.scorecards && declaredEngine(env)); // undefined if SCORECARDS cannot be used
  const known = declared.catch(() => undefined);
  const [, , rules, notify, oidc] = await allOf([
    fault && Promise.reject(fault),
    declared,
    known.then((engine) => loadRules(config.policyFile, engine?.scorecards)),
    loadNotifySettings(config),
    config.oidcFile === undefined ? undefined : loadOidcConfig(config.oidcFile),
  ] as const);
  return { config: config as Config, oidc, notify, rules };
}
