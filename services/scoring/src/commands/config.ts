import { OperatorError } from "../model/errors.ts";
import type { AuthMode } from "../model/grant.ts";
import type { Unregistered } from "../model/unregistered.ts";
import type { ChatConfig } from "../notifications/chat-settings.ts";
import type { Schedule } from "../notifications/digest/schedule.ts";
import type { Env } from "./command.ts";
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

/**
 * Reads the configuration from environment variables. An empty value counts as unset.
 *
 * @param names the settings that are read, all by default. A command that needs few names them: others have no faults then, and
 * what the result has of them means nothing
 * @throws OperatorError listing every fault; values are not repeated, since they may be secrets
 */
export function parseConfig(env: Env, names?: readonly string[]): Config {
  const { config, fault } = readConfig(env, names);
  if (fault) throw fault;
  return config as Config;
}

/** Reads the configuration as far as it is in order, with the error of `parseConfig` if it is not. */
export function readConfig(
  env: Env,
  names?: readonly string[],
): { config: Readonly<Partial<Config>>; fault?: OperatorError } {
  const isRead = (name: string) => names?.includes(name) ?? true;
  const set = Object.fromEntries(Object.entries(env).filter(([name, value]) => value && isRead(name)));
  const { value, error } = schema.validate(set);
  for (const { path } of error?.details ?? []) delete value[String(path[0])];
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
  const faults = (error?.details ?? []).filter(({ path }) => isRead(String(path[0])));
  if (faults.length === 0) return { config };
  const lines = faults.map(({ path, message }) => `  ${path.join(".")} ${message}`);
  return { config, fault: new OperatorError(`The configuration cannot be used:\n${lines.join("\n")}`) };
}
