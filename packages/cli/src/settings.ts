import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";

/** All settings, each with its flag and its environment variable. Its key in maturity.yaml is its name here. */
export const settingNames = {
  url: { flag: "--url", variable: "MATURITY_URL" },
  area: { flag: "--area", variable: "MATURITY_AREA" },
  team: { flag: "--team", variable: "MATURITY_TEAM" },
  app: { flag: "--app", variable: "MATURITY_APP" },
  env: { flag: "--env", variable: "MATURITY_ENV" },
  chat_channel: { flag: "--chat-channel", variable: "MATURITY_CHAT_CHANNEL" },
  audience: { flag: "--audience", variable: "MATURITY_AUDIENCE" },
  scorecards: { flag: "--scorecards", variable: "MATURITY_SCORECARDS" },
} as const;

export type SettingName = keyof typeof settingNames;

/** A setting that maturity.yaml may contain. The audience of a token may not be chosen by a repository. */
export type FileSettingName = Exclude<SettingName, "audience">;

/** A setting that was given. */
export interface Setting {
  readonly value: string;
  /** The flag, the variable or the path of the file that it comes from, for messages. */
  readonly from: string;
  /** Whether it comes from maturity.yaml, which everybody who can propose a change to the repository can write. */
  readonly isOfFile: boolean;
}

export type Settings = { readonly [Name in SettingName]?: Setting };

/** A maturity.yaml that was found. */
export interface SettingsFile {
  readonly path: string;
  readonly values: { readonly [Name in FileSettingName]?: string };
}

/**
 * Resolves the settings. A flag wins over a variable, and a variable over the file. An empty value counts as not given.
 * White space around the address is no part of it.
 */
export function resolveSettings(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  file: SettingsFile | undefined,
): Settings {
  const settings: { [Name in SettingName]?: Setting } = {};
  for (const name of Object.keys(settingNames) as SettingName[]) {
    const { flag, variable } = settingNames[name];
    const given = flags[flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    const candidates: [unknown, string, boolean][] = [
      [given, flag, false],
      [env[variable], variable, false],
      [name === "audience" ? undefined : file?.values[name], file?.path ?? "", true],
    ];
    for (const [text, from, isOfFile] of candidates) {
      if (typeof text !== "string") continue;
      const value = name === "url" ? text.trim() : text;
      if (value === "") continue;
      settings[name] = { value, from, isOfFile };
      break;
    }
  }
  return settings;
}

/** The settings that say which application a result belongs to, without those that are missing. */
export function knownTarget({ area, team, app, env }: Settings): Partial<Target> {
  return {
    ...(area && { area: area.value }),
    ...(team && { team: team.value }),
    ...(app && { app: app.value }),
    ...(env && { env: env.value }),
  };
}

/** @throws UsageError that names what is missing and how to give it */
export function requireTarget(settings: Settings): Target {
  return requireNames(settings, targetFields);
}

/**
 * The settings that say whose results it is about, of which these must be known.
 *
 * @throws UsageError that names what is missing and how to give it
 */
export function requireNames<Field extends keyof Target>(
  settings: Settings,
  fields: readonly Field[],
): Pick<Target, Field> & Partial<Target> {
  const target = knownTarget(settings);
  const missing = fields.filter((name) => target[name] === undefined);
  if (missing.length > 0) {
    const ways = missing.map((name) => `${settingNames[name].flag} or ${settingNames[name].variable}`);
    throw new UsageError(
      `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing: give ${ways.join(", ")}, or put ${missing.length === 1 ? "it" : "them"} into maturity.yaml (maturity init writes one)`,
    );
  }
  return target as Pick<Target, Field> & Partial<Target>;
}

/** @throws UsageError if there is no address */
export function requireUrl({ url }: Settings): string {
  if (!url)
    throw new UsageError(
      "the address of the service is missing: give --url or MATURITY_URL, or without a token url in maturity.yaml (maturity init writes one)",
    );
  return url.value;
}

/** The scorecard packages, by name or path. The setting lists them with commas. */
export function scorecardPackages({ scorecards }: Settings): readonly string[] {
  return (scorecards?.value ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
