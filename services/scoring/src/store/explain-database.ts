import type { Knex } from "knex";
import { isConnectionLost, reasonOf } from "./failures.ts";

/** The faults of a database that whoever runs it can correct, by their code and message, and what would be right. */
const remedies: readonly (readonly [fault: RegExp, remedy: string])[] = [
  [
    /^28000 .*pg_hba\.conf/,
    "that file must let the role in from this machine; sslmode=verify-full encrypts the connection",
  ],
  [/^28|SASL/, "it needs the user and the password of a role that may log in there"],
  [/^3D000/, "create this database there, or name another"],
  [/^42501|^3F000/, "its role must own the database and the tables in it, or be granted this right"],
  [/^42P07/, "it needs a database of its own, whose tables belong to its role"],
  [/^25006/, "it must name the primary, in which transactions may write"],
  [/does not support SSL/, "turn on TLS there, or leave out sslmode for a connection that is not encrypted"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, "its host must be a name in the certificate"],
  [/^CERT_HAS_EXPIRED/, "renew the certificate there"],
  [/CERT|UNABLE_TO_/, "sslrootcert=FILE must name the certificate of the authority that signed it"],
  [/^ECONNREFUSED/, "start PostgreSQL there, or correct the host and the port"],
  [/^ENOTFOUND/, "correct the host"],
  [/timeout expired|^Knex: Timeout/, "correct the host and the port, or let this machine through to it"],
  [/^57P0|is not queryable/, "PostgreSQL ended the connection, and its log says why; run the command again"],
  [/^Connection terminated/, "correct the host and the port, or read the log of PostgreSQL there"],
];

/** Refusals of a statement, by SQLSTATE, that no fault of this service causes. */
const refusals = /^(?:42501|42P07|3F000|25006)/;

/** By errors, the setting that names their database, and its address without the password. */
const origins = new WeakMap<object, string>();

/**
 * Notes of the errors of a pool where they come from, for `explainDatabase`.
 *
 * @param setting which has the URL
 */
export function noteErrors(pool: Knex, setting: string, url: string): void {
  const origin = `${setting} ${Object.assign(new URL(url), { password: "", search: "", hash: "" }).href}`;
  const note = (error: object) => void origins.set(error, origin);
  pool.on("query-error", (error: Error) => {
    if (refusals.test(faultOf(error)) || isConnectionLost(error)) note(error);
  });
  const { client } = pool;
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = () =>
    acquire().catch((error: object) => {
      note(error);
      throw error;
    });
}

/**
 * What is wrong with the database and what would be right; undefined for errors that are no loss or refusal of a connection,
 * and no refusal of the rights of a role.
 */
export function explainDatabase(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const origin = origins.get(error);
  if (origin === undefined) return explainDatabase(error.cause);
  const fault = faultOf(error);
  const [, remedy] = remedies.find(([pattern]) => pattern.test(fault)) ?? [];
  // knex takes a server that is silent for a pool that is full.
  const reason = reasonOf(error).replace(/^Knex: Timeout.+/, "no answer in time");
  return `${origin}: ${reason}${remedy === undefined ? "" : `; ${remedy}`}`;
}

function faultOf(error: Error): string {
  return "code" in error ? `${error.code} ${error.message}` : error.message;
}
