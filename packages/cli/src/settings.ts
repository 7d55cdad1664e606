import { UsageError } from "./usage-error.ts";

/** Every setting: the flag, the environment variable and the key of maturity.yaml that give it. */
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

/** A value and where it is from: a flag, a variable, or a file. */
export interface Setting {
  readonly value: string;
  readonly from: string;
}

export type Settings = { readonly [Name in SettingName]?: Setting };

/** Whose result it is. */
export type Target = Readonly<Record<"area" | "team" | "app" | "env", string>>;

/** What a maturity.yaml holds, and where it is. */
export interface SettingsFile {
  readonly path: string;
  readonly values: { readonly [Name in SettingName]?: string };
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
    const candidates: [unknown, string][] = [
      [given, flag],
      [env[variable], variable],
      [file?.values[name], file?.path ?? ""],
    ];
    for (const [value, from] of candidates) {
      if (typeof value !== "string" || value === "") continue;
      settings[name] = { value, from };
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
  const missing = (["area", "team", "app", "env"] as const).filter((name) => target[name] === undefined);
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

/** Package names of a list with commas. */
export function scorecardPackages({ scorecards }: Settings): readonly string[] {
  return (scorecards?.value ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
