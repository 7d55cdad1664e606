import type { Logger } from "pino";
import { askForKeys } from "../../auth/issuer-keys.ts";
import type { OidcConfig } from "../../auth/oidc-config.ts";
import { countValidTokens } from "../../auth/tokens.ts";
import { reasonOf } from "../../model/errors.ts";
import type { NotifySettings } from "../../notifications/routes.ts";
import type { Database } from "../../store/database.ts";
import type { Config } from "../config.ts";

interface Parts {
  readonly config: Pick<Config, "auth" | "host">;
  /** Absent without a destination of notifications. */
  readonly settings: NotifySettings | undefined;
  /** The accepted issuers of ID tokens, if `auth` has `oidc`. */
  readonly oidc: OidcConfig | undefined;
  readonly database: Database;
  readonly logger: Logger;
}

const noPrimary = "it is a replica, which takes no writes; DATABASE_URL must name the primary";
const noReplica = "it is no streaming replica, since it takes writes; DATABASE_READ_URL must name one of DATABASE_URL";

/**
 * Logs whether the database, authentication and the chat work. A failed check is a warning: it may pass later, and the
 * other parts of the service work meanwhile. Never throws.
 */
export async function logReadiness({ config, settings, oidc, database, logger }: Parts): Promise<void> {
  const checks: Check[] = [
    server("the database", database.knex, false, noPrimary),
    ...(database.replicaLag ? [server("the replica", database.scrapes, true, noReplica)] : []),
    ...(config.auth.includes("token") ? [tokens(database)] : []),
    ...(oidc?.issuers ?? []).map(({ url }) => issuer("authentication by ID tokens", url)),
    ...(oidc?.signIn ? [issuer("signing in", oidc.signIn.issuer)] : []),
    ...destinationChecks(settings),
  ];
  if (config.auth === "none") logOpenAccess(logger, config.host);
  if (!settings) logger.info("notifications are off: without NOTIFY or CHAT_BOT_TOKEN none is sent");
  await Promise.all(checks.map((check) => logResult(logger, check)));
}

interface Check {
  readonly subject: string;
  /** Fields of the log line, whatever the result. */
  readonly fields?: object;
  /** Returns further fields of the log line. @throws Error that says what is wrong, and what helps */
  check(): Promise<object>;
}

async function logResult(logger: Logger, { subject, fields, check }: Check): Promise<void> {
  try {
    logger.info({ ...fields, ...(await check()) }, `${subject} is in order`);
  } catch (error) {
    logger.warn({ ...fields, reason: reasonOf(error) }, `${subject} is not in order`);
  }
}

function logOpenAccess(logger: Logger, host: string): void {
  const isLoopback = host === "localhost" || host === "::1" || host.startsWith("127.");
  if (isLoopback) logger.info("authentication is off: anybody on this machine can write scores");
  else logger.warn({ host }, "authentication is off: anybody who reaches this address can write scores");
}

/** @param fault what is wrong if the server is a replica and should be none, or the other way round */
function server(subject: string, knex: Database["knex"], isReplica: boolean, fault: string): Check {
  return {
    subject,
    async check() {
      const { rows } = await knex.raw(
        "SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS replica",
      );
      if (rows[0].replica !== isReplica) throw new Error(fault);
      return { version: rows[0].version };
    },
  };
}

function tokens({ knex }: Database): Check {
  return {
    subject: "authentication by tokens",
    async check() {
      const tokens = await countValidTokens(knex);
      if (tokens === 0) throw new Error("no token is good; make one with maturity-service token create");
      return { tokens };
    },
  };
}

function issuer(subject: string, url: string): Check {
  return {
    subject,
    fields: { issuer: url },
    check: async () => ({ keys: await askForKeys(url) }),
  };
}

function destinationChecks(settings: NotifySettings | undefined): Check[] {
  return [...(settings?.destinations ?? [])].flatMap(([destination, { check }]) =>
    check ? [{ subject: "a destination of notifications", fields: { destination }, check }] : [],
  );
}
