import type { Logger } from "pino";
import { askForBot } from "../../alerts/slack.ts";
import { askForKeys } from "../../auth/issuer-keys.ts";
import type { OidcConfig } from "../../auth/oidc-config.ts";
import { countGoodTokens } from "../../auth/tokens.ts";
import type { Database } from "../../store/database.ts";
import type { Config } from "../config.ts";

interface Parts {
  readonly config: Pick<Config, "auth" | "chat" | "host">;
  /** Whose ID tokens are taken, where `auth` has `oidc`. */
  readonly oidc: OidcConfig | undefined;
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Tells in the log whether the database, authentication and the chat are in order. What is not in order is a warning and
 * stops nothing: it may mend itself, and what needs none of it works meanwhile. Never throws.
 */
export async function tellReadiness({ config, oidc, database, logger }: Parts): Promise<void> {
  const checks: Check[] = [
    { what: "the database", look: async () => ({ version: await versionOf(database) }) },
    ...(database.replicaLag
      ? [{ what: "the replica", look: async () => ({ version: await replicaVersionOf(database) }) }]
      : []),
    ...(config.auth.includes("token") ? [tokens(database)] : []),
    ...(oidc?.issuers ?? []).map(issuer),
    ...(config.chat ? [chat(config.chat)] : []),
  ];
  if (config.auth === "none") tellOpen(logger, config.host);
  if (!config.chat) logger.info("the chat is off: without CHAT_BOT_TOKEN no alert is sent");
  await Promise.all(checks.map((check) => tell(logger, check)));
}

interface Check {
  readonly what: string;
  /** Told either way. */
  readonly which?: object;
  /** Gives what to tell beside "is in order". @throws Error that says what is not in order, and what helps */
  look(): Promise<object>;
}

async function tell(logger: Logger, { what, which, look }: Check): Promise<void> {
  try {
    logger.info({ ...which, ...(await look()) }, `${what} is in order`);
  } catch (error) {
    logger.warn({ ...which, reason: reasonOf(error) }, `${what} is not in order`);
  }
}

/** Of a call over the network that failed, the cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function tellOpen(logger: Logger, host: string): void {
  const isLoopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  if (isLoopback) logger.info("authentication is off: anybody on this machine can write scores");
  else logger.warn({ host }, "authentication is off: anybody who reaches this address can write scores");
}

async function versionOf({ knex }: Database): Promise<string> {
  const { version, replica } = await askServer(knex);
  if (replica) throw new Error("it is a replica, which takes no writes; DATABASE_URL must name the primary");
  return version;
}

async function replicaVersionOf({ scrapes }: Database): Promise<string> {
  const { version, replica } = await askServer(scrapes);
  if (!replica) {
    throw new Error(
      "it is no streaming replica, since it takes writes; DATABASE_READ_URL must name one of DATABASE_URL",
    );
  }
  return version;
}

async function askServer(knex: Database["knex"]): Promise<{ version: string; replica: boolean }> {
  const { rows } = await knex.raw(
    "SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS replica",
  );
  return rows[0];
}

function tokens({ knex }: Database): Check {
  return {
    what: "authentication by tokens",
    async look() {
      const tokens = await countGoodTokens(knex);
      if (tokens === 0) throw new Error("no token is good; make one with maturity-service token create");
      return { tokens };
    },
  };
}

function issuer({ url }: OidcConfig["issuers"][number]): Check {
  return {
    what: "authentication by ID tokens",
    which: { issuer: url },
    look: async () => ({ keys: await askForKeys(url) }),
  };
}

function chat(config: NonNullable<Config["chat"]>): Check {
  return { what: "the chat", look: () => askForBot(config) };
}
