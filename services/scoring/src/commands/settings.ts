import { isScorecardFile } from "@maturity/scorecard-file";
import Joi from "joi";
import { isAddressOrRange } from "../http/caller-address.ts";
import { whole } from "../model/fields.ts";
import { unregisteredModes } from "../model/unregistered.ts";
import { parseSchedule, type Schedule } from "../notifications/digest/schedule.ts";

const databaseUrl = /^(?:postgres(?:ql)?:\/\/.+|pglite:.+)$/;

const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * Checks that the URL of a PostgreSQL parses, which fails if special characters of its password are not escaped, and that
 * its mode of TLS is one.
 */
function addressable(url: string, { error }: Joi.CustomHelpers): string | Joi.ErrorReport {
  const parsed = url.startsWith("pglite:") ? undefined : URL.parse(url);
  // A password with a character that it may not have is taken for another part, and would be shown.
  const isMisread = parsed === null || /[@#]/.test(parsed ? parsed.pathname + parsed.search + parsed.hash : "");
  if (isMisread) return error("string.uri");
  const modes = parsed?.searchParams.getAll("sslmode") ?? [];
  return modes.every((mode) => sslModes.includes(mode)) ? url : error("any.invalid");
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

const urlFaults = {
  "string.uri": "is no address; in the user and the password write # / ? @ as %23 %2F %3F %40",
  "any.invalid": `has an unknown sslmode: sslmode must be ${sslModes.slice(0, -1).join(", ")} or ${sslModes.at(-1)}`,
};

const withoutNotify = { not: Joi.exist(), otherwise: Joi.forbidden() };
const notBoth = { "any.unknown": "cannot be set with NOTIFY, whose file has all destinations" };

/** The descriptions are the reference in `docs/settings.md`. */
const described: Joi.ObjectSchema = Joi.object({
  DATABASE_URL: Joi.string()
    .pattern(databaseUrl)
    .custom(addressable)
    .required()
    .description(
      "the store: `postgres://user:password@host:5432/database` of a PostgreSQL 14 to 18 with the encoding UTF8, or `pglite:DIRECTORY` for the embedded database of a trial, which serves one process",
    )
    .messages({
      "any.required":
        "is required: postgres://user:password@host:5432/database, or pglite:DIRECTORY for the embedded database",
      "string.pattern.base": "must be postgres://user:password@host:5432/database, pglite:DIRECTORY or pglite::memory:",
      ...urlFaults,
    }),
  DATABASE_READ_URL: Joi.string()
    .pattern(/^postgres(?:ql)?:\/\/.+$/)
    .custom(addressable)
    .when("DATABASE_URL", { not: Joi.string().pattern(/^pglite:/), otherwise: Joi.forbidden() })
    .messages({
      "any.unknown": "is for a replica of a PostgreSQL; the embedded database of DATABASE_URL has none",
      "string.pattern.base": "must be postgres://user:password@host:5432/database, of a replica of DATABASE_URL",
      ...urlFaults,
    })
    .description(
      "`postgres://…` of a streaming replica of that database, for scrapes, roll-ups, their changes, the search and the digest: [A replica for reads](operations.md#a-replica-for-reads)",
    ),
  DATABASE_POOL_MAX: whole(1, 1000)
    .default(10)
    .description(
      "the largest number of connections for writes and token look-ups together. Each process opens [a few more](sizing.md)",
    ),
  HOST: Joi.string()
    .hostname()
    .default("127.0.0.1")
    .messages({ "string.hostname": "must be a name or an address of this machine, such as 0.0.0.0 or ::" })
    .description("the address to listen on; `0.0.0.0` for all"),
  PORT: whole(0, 65_535).default(8080).description("the port to listen on; with 0 the system chooses"),
  SCORECARDS: Joi.string()
    .description(
      "the scorecards, separated by commas: names of packages, and paths of files that end with `.yaml` or `.yml`, both looked for from the folder in which the service starts. A list replaces the default, so repeat its names to add one: [Writing a scorecard](writing-a-scorecard.md#6-in-the-service)",
    )
    .custom(scorecardNames)
    .default("@maturity/security,@maturity/reliability,@maturity/application")
    .messages({ "any.invalid": "must be package names, or paths of files such as ./cost.yaml, separated by commas" }),
  POLICY: Joi.string().description(
    "the path of the file with the weights, ages and levels of your organisation, and to whom metrics apply: [Policy](configuration.md#policy)",
  ),
  NOTIFY: Joi.string().description(
    "the path of the file of destinations and routes: [Notifications](notifications.md#the-file). With it, `CHAT_BOT_TOKEN` must not be set",
  ),
  CHAT_BOT_TOKEN: Joi.string()
    .pattern(/^[\x21-\x7e]+$/)
    .when("NOTIFY", withoutNotify)
    .messages({ ...notBoth, "string.pattern.base": "must be visible ASCII characters, without a line break" })
    .description("the token of a Slack bot; without it, and without `NOTIFY`, nothing is announced"),
  CHAT_API_URL: Joi.string()
    .uri({ scheme: ["http", "https"] })
    .description("another server that speaks the Web API of Slack"),
  CHAT_DEFAULT_CHANNEL: Joi.string().max(200).description("the channel for problems that name no `chat_channel`"),
  DIGEST: Joi.string()
    .description(
      "when the destinations get [a digest](notifications.md#the-weekly-digest) each week: a day, a time and a time zone (without one UTC), such as `mon 09:00 Europe/Berlin`. It needs `NOTIFY` or `CHAT_BOT_TOKEN`, and `HISTORY_DAYS` of at least 8",
    )
    .custom(schedule)
    .when("CHAT_BOT_TOKEN", {
      is: Joi.exist(),
      otherwise: Joi.any().when("NOTIFY", { is: Joi.exist(), otherwise: Joi.forbidden() }),
    })
    .when("HISTORY_DAYS", { is: Joi.number().min(digestDays), otherwise: Joi.forbidden() })
    .messages({ "any.unknown": `needs NOTIFY or CHAT_BOT_TOKEN, and HISTORY_DAYS of at least ${digestDays}` }),
  HISTORY_DAYS: whole(0, 3_650)
    .default(400)
    .description(
      "for how many days changes of scores, daily roll-ups, the [audit](access.md#who-did-what) and waivers that are over are kept. With 0 no changes and roll-ups are recorded, and the audit and waivers are kept for 400 days",
    ),
  RETIRE_SILENT_DAYS: whole(1, 3_650).description(
    "after how many days without any report an environment is retired; without it none is: [Retire what is silent](deciding.md#retire-what-is-silent)",
  ),
  UNREGISTERED: Joi.valid(...unregisteredModes)
    .default("accept")
    .description(
      "what becomes of reports of applications that nobody registered: they count, are held until somebody registers them, or are refused with 403: [Only what is registered](deciding.md#only-what-is-registered)",
    )
    .messages({ "any.only": "must be accept, hold or refuse" }),
  LOG_LEVEL: Joi.valid("trace", "debug", "info", "warn", "error", "fatal", "silent")
    .default("info")
    .description("the least severe lines of the log that are written"),
  SHUTDOWN_GRACE_MS: whole(0, 600_000)
    .default(10_000)
    .description(
      "how long a stop may take, in milliseconds. During its first half the instance still answers: [Stopping an instance](operations.md#stopping-an-instance)",
    ),
  AUTH: Joi.string()
    .description(
      "who may call: anybody (`none`, so keep the address inside your network), callers with an access token (`token`), pipelines with an ID token and people who sign in (`oidc`), or both: [Access](access.md)",
    )
    .replace(/\s/g, "")
    .replace("oidc,token", "token,oidc")
    .valid("none", "token", "oidc", "token,oidc")
    .default("none")
    .messages({ "any.only": "must be none, token, oidc, or token,oidc" }),
  OIDC_CONFIG: Joi.string()
    .description(
      "the path of the file that says whose ID tokens are accepted and how people sign in; required where `AUTH` has `oidc`",
    )
    .when("AUTH", { not: Joi.valid("oidc", "token,oidc"), otherwise: Joi.required() })
    .messages({ "any.required": "is required with AUTH=oidc: the file that grants scopes to ID tokens" }),
  BOARD: Joi.valid("on", "off")
    .default("on")
    .description("with `off` the [Board](board.md) is not served, `/` leads to the docs, and there are no sessions"),
  TRUSTED_PROXIES: Joi.string()
    .custom(addresses)
    .default([])
    .description(
      "the addresses or ranges of your proxies, such as `10.0.0.7, fd00::/8`: the log then names the caller of their `X-Forwarded-For`",
    )
    .messages({
      "any.invalid": "must be addresses or ranges of proxies, separated by commas: 10.0.0.7, 192.168.0.0/16, fd00::/8",
    }),
});

/** The settings, as environment variables. Each that is wrong has one fault, the first. */
export const schema: Joi.ObjectSchema = described
  .fork(Object.keys(described.describe().keys), (setting) => setting.prefs({ abortEarly: true }))
  .prefs({ abortEarly: false, stripUnknown: true, errors: { label: false } });

/** A setting as the reference shows it. */
export interface SettingHelp {
  readonly name: string;
  readonly required: boolean;
  /** Undefined where there is none. */
  readonly fallback?: unknown;
  /** The only values that it may have; empty where others may be, too. */
  readonly values: readonly string[];
  /** In Markdown; its links begin at the folder of the docs. */
  readonly meaning: string;
}

/** Every setting, in the order in which they are checked. */
export function settings(): readonly SettingHelp[] {
  const { keys } = described.describe() as { keys: Record<string, Joi.Description> };
  return Object.entries(keys).map(([name, { flags = {}, allow = [] }]) => {
    const { presence, default: fallback, only, description } = flags as Record<string, unknown>;
    const values = only ? (allow as unknown[]).filter((value) => typeof value === "string") : [];
    return { name, required: presence === "required", fallback, values, meaning: String(description ?? "") };
  });
}

/** The names in a list with commas. */
export function splitNames(list: string): readonly string[] {
  return list.split(",").map((name) => name.trim());
}
