import { isScorecardFile } from "@maturity/scorecard-file";
import Joi from "joi";
import { isAddressOrRange } from "../http/caller-address.ts";
import { ConfigError } from "../model/errors.ts";
import type { AuthMode } from "../model/grant.ts";
import { type Unregistered, unregisteredModes } from "../model/unregistered.ts";
import type { ChatConfig } from "../notifications/chat-settings.ts";
import { parseSchedule, type Schedule } from "../notifications/digest/schedule.ts";

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
  /** What becomes of reports of applications that nobody registered. */
  readonly unregistered: Unregistered;
  readonly logLevel: string;
  /** Time limit for stopping, in milliseconds. */
  readonly shutdownGraceMs: number;
}

const databaseUrl = /^(?:postgres(?:ql)?:\/\/.+|pglite:.+)$/;

/** Checks that the URL of a PostgreSQL parses, which fails if special characters of its password are not escaped. */
function addressable(url: string, { error }: Joi.CustomHelpers): string | Joi.ErrorReport {
  return url.startsWith("pglite:") || URL.canParse(url) ? url : error("string.uri");
}

function addresses(list: string, { error }: Joi.CustomHelpers): readonly string[] | Joi.ErrorReport {
  const entries = list.split(",").map((entry) => entry.trim());
  return entries.every(isAddressOrRange) ? entries : error("any.invalid");
}

function schedule(text: string, { message }: Joi.CustomHelpers): Schedule | Joi.ErrorReport {
  try {
    return parseSchedule(text);
  } catch (error) {
    return message({ custom: (error as RangeError).message });
  }
}

/** The fewest days of history that a weekly digest needs. */
const digestDays = 8;

const packageName = /^(?:@[a-z0-9._~-]+\/)?[a-z0-9._~-]+$/i;

function scorecardNames(list: string, { error }: Joi.CustomHelpers): string | Joi.ErrorReport {
  const isKnown = (name: string) => packageName.test(name) || isScorecardFile(name);
  return splitNames(list).every(isKnown) ? list : error("any.invalid");
}

const noAddress = "is no address; in the user and the password write # / ? @ as %23 %2F %3F %40";

const withoutNotify = { not: Joi.exist(), otherwise: Joi.forbidden() };
const notBoth = { "any.unknown": "cannot be set with NOTIFY, whose file has all destinations" };

const schema = Joi.object({
  DATABASE_URL: Joi.string().pattern(databaseUrl).custom(addressable).required().messages({
    "any.required":
      "is required: postgres://user:password@host:5432/database, or pglite:DIRECTORY for the embedded database",
    "string.pattern.base": "must be postgres://user:password@host:5432/database, pglite:DIRECTORY or pglite::memory:",
    "string.uri": noAddress,
  }),
  DATABASE_READ_URL: Joi.string()
    .pattern(/^postgres(?:ql)?:\/\/.+$/)
    .custom(addressable)
    .when("DATABASE_URL", { not: Joi.string().pattern(/^pglite:/), otherwise: Joi.forbidden() })
    .messages({
      "any.unknown": "is for a replica of a PostgreSQL; the embedded database of DATABASE_URL has none",
      "string.pattern.base": "must be postgres://user:password@host:5432/database, of a replica of DATABASE_URL",
      "string.uri": noAddress,
    }),
  DATABASE_POOL_MAX: Joi.number().integer().min(1).max(1000).default(10),
  HOST: Joi.string().default("127.0.0.1"),
  PORT: Joi.number().integer().min(0).max(65_535).default(8080),
  SCORECARDS: Joi.string()
    .custom(scorecardNames)
    .default("@maturity/security,@maturity/reliability,@maturity/application")
    .messages({ "any.invalid": "must be package names, or paths of files such as ./cost.yaml, separated by commas" }),
  POLICY: Joi.string(),
  NOTIFY: Joi.string(),
  CHAT_BOT_TOKEN: Joi.string().when("NOTIFY", withoutNotify).messages(notBoth),
  CHAT_API_URL: Joi.string().uri({ scheme: ["http", "https"] }),
  CHAT_DEFAULT_CHANNEL: Joi.string().max(200),
  DIGEST: Joi.string()
    .custom(schedule)
    .when("CHAT_BOT_TOKEN", {
      is: Joi.exist(),
      otherwise: Joi.any().when("NOTIFY", { is: Joi.exist(), otherwise: Joi.forbidden() }),
    })
    .when("HISTORY_DAYS", { is: Joi.number().min(digestDays), otherwise: Joi.forbidden() })
    .messages({ "any.unknown": `needs NOTIFY or CHAT_BOT_TOKEN, and HISTORY_DAYS of at least ${digestDays}` }),
  HISTORY_DAYS: Joi.number().integer().min(0).max(3_650).default(400),
  RETIRE_SILENT_DAYS: Joi.number().integer().min(1).max(3_650),
  UNREGISTERED: Joi.valid(...unregisteredModes)
    .default("accept")
    .messages({ "any.only": "must be accept, hold or refuse" }),
  LOG_LEVEL: Joi.valid("trace", "debug", "info", "warn", "error", "fatal", "silent").default("info"),
  SHUTDOWN_GRACE_MS: Joi.number().integer().min(0).max(600_000).default(10_000),
  AUTH: Joi.string()
    .replace(/\s/g, "")
    .replace("oidc,token", "token,oidc")
    .valid("none", "token", "oidc", "token,oidc")
    .default("none")
    .messages({ "any.only": "must be none, token, oidc, or token,oidc" }),
  OIDC_CONFIG: Joi.string()
    .when("AUTH", { not: Joi.valid("oidc", "token,oidc"), otherwise: Joi.required() })
    .messages({ "any.required": "is required with AUTH=oidc: the file that grants scopes to ID tokens" }),
  BOARD: Joi.valid("on", "off").default("on"),
  TRUSTED_PROXIES: Joi.string().custom(addresses).default([]).messages({
    "any.invalid": "must be addresses or ranges of proxies, separated by commas: 10.0.0.7, 192.168.0.0/16, fd00::/8",
  }),
}).prefs({ abortEarly: false, stripUnknown: true, errors: { label: false } });

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads SCORECARDS alone, for a command that needs no database.
 *
 * @throws ConfigError
 */
export function parseScorecards(env: Env): readonly string[] {
  return splitNames(parseSetting<string>(env, "SCORECARDS"));
}

/**
 * Reads HISTORY_DAYS alone, for a command that has its database already.
 *
 * @throws ConfigError
 */
export function parseHistoryDays(env: Env): number {
  return parseSetting<number>(env, "HISTORY_DAYS");
}

function parseSetting<Value>(env: Env, setting: "SCORECARDS" | "HISTORY_DAYS"): Value {
  const { value, error } = schema.extract(setting).validate(env[setting] || undefined, { errors: { label: false } });
  if (error) throw new ConfigError(`The configuration cannot be used:\n  ${setting} ${error.message}`);
  return value;
}

function splitNames(list: string): readonly string[] {
  return list.split(",").map((name) => name.trim());
}

/**
 * Reads the settings of notifications alone.
 *
 * @throws ConfigError
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
 * @throws ConfigError listing every fault; values are not repeated, since they may be secrets
 */
export function parseConfig(env: Env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const { value, error } = schema.validate(set);
  if (error) {
    const faults = error.details.map(({ path, message }) => `  ${path.join(".")} ${message}`);
    throw new ConfigError(`The configuration cannot be used:\n${faults.join("\n")}`);
  }
  return Object.freeze({
    databaseUrl: value.DATABASE_URL,
    ...(value.DATABASE_READ_URL && { databaseReadUrl: value.DATABASE_READ_URL }),
    databasePoolMax: value.DATABASE_POOL_MAX,
    host: value.HOST,
    port: value.PORT,
    scorecards: splitNames(value.SCORECARDS),
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
    ...(value.AUTH.includes("oidc") && { oidcFile: value.OIDC_CONFIG }),
    trustedProxies: value.TRUSTED_PROXIES,
    historyDays: value.HISTORY_DAYS,
    ...(value.RETIRE_SILENT_DAYS && { retireSilentDays: value.RETIRE_SILENT_DAYS }),
    unregistered: value.UNREGISTERED,
    logLevel: value.LOG_LEVEL,
    shutdownGraceMs: value.SHUTDOWN_GRACE_MS,
  });
}
