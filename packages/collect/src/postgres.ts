import { Socket } from "node:net";
import { targetFields } from "@maturity/core/wire";
import type { Client, CustomTypesConfig, FieldDef, QueryConfig } from "pg";
import { maxAnswerBytes, type PostgresSource, type Query, QueryError, type QueryResult } from "./query.ts";

/** Longer than the server's own limit for a statement, so that usually the server's error is reported. */
const graceMs = 5_000;

/**
 * Runs one SQL statement in a transaction that can only read.
 *
 * @throws QueryError
 */
export async function runSql(source: PostgresSource, query: Query, signal: AbortSignal): Promise<QueryResult> {
  const { timeoutMs } = source;
  signal.throwIfAborted();
  const socket = new Socket();
  const client = await createClient(source, socket);
  const abort = () => void socket.destroy();
  let isTooLong = false;
  signal.addEventListener("abort", abort);
  try {
    await client.connect();
    bound(client, socket, () => {
      isTooLong = true;
    });
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`);
    // The extended protocol takes no second statement, which could end the transaction.
    const extended: QueryConfig & { queryMode: string } = { text: query.text, queryMode: "extended" };
    const { rows, fields } = await client.query<Record<string, unknown>>(extended);
    requireColumns(query, fields);
    return { rows: rows.map((row, index) => ({ name: `row ${index + 1}`, labels: row, values: row })), notes: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (isTooLong)
      throw new QueryError(`the result is longer than ${maxAnswerBytes / 1_048_576} MiB: aggregate it in the query`);
    throw error instanceof QueryError ? error : new QueryError(explained(error, timeoutMs), { cause: error });
  } finally {
    signal.removeEventListener("abort", abort);
    await client.end().catch(() => {});
  }
}

/** Breaks off a result that goes on without end. What is counted comes from the stream inside of TLS, where there is TLS. */
function bound(client: Client, socket: Socket, onTooLong: () => void): void {
  const { stream } = (client as Client & { readonly connection: { readonly stream: Socket } }).connection;
  let bytes = 0;
  stream.on("data", ({ length }: Buffer) => {
    bytes += length;
    if (bytes <= maxAnswerBytes) return;
    onTooLong();
    socket.destroy();
  });
}

/** pg is loaded when it is first needed, since most users never need it. */
async function createClient({ url, timeoutMs }: PostgresSource, socket: Socket): Promise<Client> {
  const { default: pg } = await import("pg");
  try {
    const client = new pg.Client({
      connectionString: url,
      application_name: "maturity collect",
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs + graceMs,
      stream: () => socket,
      types,
    });
    client.on("error", () => {}); // the call under way fails with it
    return client;
  } catch (error) {
    throw new QueryError(explained(error, timeoutMs));
  }
}

/** By their numbers in pg_type: int8, int2, int4, float4, float8, numeric. */
const numbers = [20, 21, 23, 700, 701, 1700];
const boolean = 16;

/** Numbers and booleans as such, all else as PostgreSQL writes it. */
const types: CustomTypesConfig = {
  getTypeParser: ((type: number) => {
    if (numbers.includes(type)) return Number;
    return type === boolean ? (text: string) => text === "t" : String;
  }) as CustomTypesConfig["getTypeParser"],
};

function requireColumns({ target, raw }: Query, fields: readonly FieldDef[]): void {
  const names = fields.map(({ name }) => name);
  for (const term of [...targetFields.map((field) => target[field]), ...Object.values(raw)]) {
    if (!("field" in term)) continue;
    const count = names.filter((name) => name === term.field).length;
    if (count === 0)
      throw new QueryError(`the result has no column ${term.field}; it has ${names.join(", ") || "none"}`);
    if (count > 1) throw new QueryError(`the result has ${count} columns of the name ${term.field}`);
  }
}

function explained(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return explained(error.errors[0], timeoutMs);
  const { code, hint, syscall } = error as { code?: unknown; hint?: unknown; syscall?: unknown };
  if (syscall !== undefined) return `cannot reach the database: ${error.message}`;
  if (code === "57014" && !/user request/.test(error.message)) return `the statement took longer than ${timeoutMs} ms`;
  if (error.message === "timeout expired") return `no connection within ${timeoutMs} ms`;
  if (/multiple commands/.test(error.message)) return "the query must be one statement";
  return typeof hint === "string" ? `${error.message}. ${hint}` : error.message;
}
