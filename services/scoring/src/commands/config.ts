import { OperatorError } from "../model/errors.ts";
import type { AuthMode } from "../model/grant.ts";
import type { Unregistered } from "../model/unregistered.ts";
import type { ChatConfig } from "../notifications/chat-settings.ts";
import type { Schedule } from "../notifications/digest/schedule.ts";
import { schema, splitNames } from "./settings.ts";

/** The settings of the service, read once at the start. */
export interface Config {
  /** `postgres://…`, `pglite:DIRECTORY` or `pglite::memory:`. */
  readonly databaseUrl: string;
  /** `postgres://…` of a streaming replica of that database, for scrapes, roll-ups and history. */
  readonly databaseReadUrl?: string;
  /** Largest number of connections for writes. Scrapes, notifications and health checks have a few of their own. */
  readonly databasePoolMax: number;
  readonly host: string;
  /** TCP port; with 0 the system chooses one. */
  readonly port: number;
  /** Package names of scorecards and paths of scorecard files, in the order in which they are shown. */
  readonly scorecards: readonly string[];
  readonly chat?: ChatConfig;
  /** Path of the file of destinations and routes. Then there is no `chat`. */
  readonly notifyFile?: string;
  /** The weekly time of the digest; absent if no digest is sent. */
  readonly digest?: Schedule;
  readonly auth: AuthMode;
  /** Whether the Board is served. */
  readonly board: boolean;
  /** Path of the policy file. */
  readonly policyFile?: string;
  /** Path of the file with the accepted issuers of ID tokens, if `auth` has `oidc`. */
  readonly oidcFile?: string;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** For how many days history is kept; 0 records none. */
  readonly historyDays: number;
  /** After how many days without a submission an environment is retired; absent if never. */
  readonly retireSilentDays?: number;
  /** What becomes of submissions of applications that nobody registered. */
  readonly unregistered: Unregistered;
  readonly logLevel: string;
  /** Time limit for stopping, in milliseconds. */
  readonly shutdownGraceMs: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads SCORECARDS alone, for a command that needs no database.
 *
 * @throws OperatorError
 */
export function parseScorecards(env: Env): readonly string[] {
  return splitNames(parseSetting<string>(env, "SCORECARDS"));
}

/**
 * Reads HISTORY_DAYS alone, for a command that has its database already.
 *
 * @throws OperatorError
 */
export function parseHistoryDays(env: Env): number {
  return parseSetting<number>(env, "HISTORY_DAYS");
}

function parseSetting<Value>(env: Env, setting: "SCORECARDS" | "HISTORY_DAYS"): Value {
  const { value, error } = schema.extract(setting).validate(env[setting] || undefined, { errors: { label: false } });
  if (error) throw new OperatorError(`The configuration cannot be used:\n  ${setting} ${error.message}`);
  return value;
}

/**
 * Reads the settings of notifications alone.
 *
 * @throws OperatorError
 */
export function parseNotifications(env: Env): Pick<Config, "notifyFile" | "chat"> {
  const names = ["NOTIFY", "CHAT_BOT_TOKEN", "CHAT_API_URL", "CHAT_DEFAULT_CHANNEL"];
  const set = Object.fromEntries(Object.entries(env).filter(([name, value]) => names.includes(name) && value));
  const { notifyFile, chat } = parseConfig({ ...set, DATABASE_URL: "pglite::memory:" });
  return { ...(notifyFile !== undefined && { notifyFile }), ...(chat && { chat }) };
}

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 *
 * @throws OperatorError listing every fault; values are not repeated, since they may be secrets
 */
export function parseConfig(env: Env): Config {
  const { config, fault } = readConfig(env);
  if (fault) throw fault;
  return config as Config;
}

/** Reads the configuration as far as it is in order, with the error of `parseConfig` if it is not. */
export function readConfig(env: Env): { config: Readonly<Partial<Config>>; fault?: OperatorError } {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const { value, error } = schema.validate(set);
  const faults = error?.details ?? [];
  for (const { path } of faults) delete value[String(path[0])];
  const config = Object.freeze({
    databaseUrl: value.DATABASE_URL,
    ...(value.DATABASE_READ_URL && { databaseReadUrl: value.DATABASE_READ_URL }),
    databasePoolMax: value.DATABASE_POOL_MAX,
    host: value.HOST,
    port: value.PORT,
    ...(value.SCORECARDS && { scorecards: splitNames(value.SCORECARDS) }),
    ...(value.POLICY && { policyFile: value.POLICY }),
    ...(value.CHAT_BOT_TOKEN && {
      chat: {
        token: value.CHAT_BOT_TOKEN,
        ...(value.CHAT_API_URL && { apiUrl: value.CHAT_API_URL }),
        ...(value.CHAT_DEFAULT_CHANNEL && { defaultChannel: value.CHAT_DEFAULT_CHANNEL }),
      },
    }),
    ...(value.NOTIFY && { notifyFile: value.NOTIFY }),
    ...(value.DIGEST && { digest: value.DIGEST }),
    auth: value.AUTH,
    board: value.BOARD === "on",
    ...(value.AUTH?.includes("oidc") && { oidcFile: value.OIDC_CONFIG }),
    trustedProxies: value.TRUSTED_PROXIES,
    historyDays: value.HISTORY_DAYS,
    ...(value.RETIRE_SILENT_DAYS && { retireSilentDays: value.RETIRE_SILENT_DAYS }),
    unregistered: value.UNREGISTERED,
    logLevel: value.LOG_LEVEL,
    shutdownGraceMs: value.SHUTDOWN_GRACE_MS,
  });
  if (faults.length === 0) return { config };
  const lines = faults.map(({ path, message }) => `  ${path.join(".")} ${message}`);
  return { config, fault: new OperatorError(`The configuration cannot be used:\n${lines.join("\n")}`) };
}
