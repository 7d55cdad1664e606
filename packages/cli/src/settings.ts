import { type Target, targetFields } from "@maturity/core";
import { UsageError } from "./usage-error.ts";

/** Every setting: the flag and the environment variable that give it, and by its name the key of maturity.yaml. */
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

/** A setting that may stand in maturity.yaml. Whom a token is made out to is not for a repository to say. */
export type FileSettingName = Exclude<SettingName, "audience">;

/** A value and where it is from: a flag, a variable, or a file. */
export interface Setting {
  readonly value: string;
  readonly from: string;
  /** Whether it is from maturity.yaml, which whoever proposes a change can write. */
  readonly isOfFile: boolean;
}

export type Settings = { readonly [Name in SettingName]?: Setting };

/** What a maturity.yaml holds, and where it is. */
export interface SettingsFile {
  readonly path: string;
  readonly values: { readonly [Name in FileSettingName]?: string };
}

/** The settings: flags before the environment before the file. An empty value counts as none. */
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
    for (const [value, from, isOfFile] of candidates) {
      if (typeof value !== "string" || value === "") continue;
      settings[name] = { value, from, isOfFile };
      break;
    }
  }
  return settings;
}

/** The settings that say whose result it is, as far as they are there. */
export function knownTarget({ area, team, app, env }: Settings): Partial<Target> {
  return {
    ...(area && { area: area.value }),
    ...(team && { team: team.value }),
    ...(app && { app: app.value }),
    ...(env && { env: env.value }),
  };
}

/** @throws UsageError naming what is missing and where it may stand */
export function requireTarget(settings: Settings): Target {
  const target = knownTarget(settings);
  const missing = targetFields.filter((name) => target[name] === undefined);
  if (missing.length > 0) {
    const ways = missing.map((name) => `${settingNames[name].flag} or ${settingNames[name].variable}`);
    throw new UsageError(
      `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing: give ${ways.join(", ")}, or put ${missing.length === 1 ? "it" : "them"} into maturity.yaml (maturity init writes one)`,
    );
  }
  return target as Target;
}

/** @throws UsageError when there is none */
export function requireUrl({ url }: Settings): string {
  if (!url) throw new UsageError("the address of the service is missing: give --url or MATURITY_URL");
  return url.value;
}

/** Package names and paths of a list with commas. */
export function scorecardPackages({ scorecards }: Settings): readonly string[] {
  return (scorecards?.value ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
