import type { Knex } from "knex";
import { OperatorError } from "../model/errors.ts";
import type { Database } from "./database.ts";
import { type Migration, migrations } from "./migrations/index.ts";

/** The oldest version of PostgreSQL on which the statements of this service work. */
const oldestPostgres = 14;

/** The advisory lock of schema changes: "maturity" in ASCII, as a 64-bit number. */
export const migrationLock = "7881708870654588025";

/**
 * Applies all migrations, in one transaction. Of several processes that start at once, one does so and the others wait
 * without limit. A newer schema stays if this version works on it, so that an older instance can start during a rolling
 * upgrade.
 *
 * @param onWait called if another process is changing the schema
 * @param known the migrations of this version
 * @throws OperatorError if a newer version has changed the database so that this one does not work on it, or the
 * PostgreSQL is too old, or the encoding of the database is not UTF-8
 */
export async function migrate(
  { background }: Database,
  onWait: () => void = () => {},
  known: readonly Migration[] = migrations,
): Promise<void> {
  await background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    const first = `SELECT pg_try_advisory_xact_lock(?::bigint) AS free, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding`;
    const { free, version, encoding } = (await trx.raw(first, [migrationLock])).rows[0];
    if (Number.parseInt(version, 10) < oldestPostgres) {
      throw new OperatorError(`DATABASE_URL names a PostgreSQL ${version}; it must be ${oldestPostgres} or newer`);
    }
    if (encoding !== "UTF8") {
      throw new OperatorError(
        `DATABASE_URL names a database with the encoding ${encoding}; it must be UTF8, as by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
      );
    }
    if (!free) {
      onWait();
      await trx.raw("SELECT pg_advisory_xact_lock(?::bigint)", [migrationLock]);
    }
    if (await isNewer(trx, known)) return;
    let refusal: unknown;
    trx.on("query-error", (error) => {
      refusal ??= error;
    });
    const [, run]: [number, string[]] = await trx.migrate
      .latest({ migrationSource: sourceOf(known) })
      .catch((error) => {
        throw refusal ?? error; // knex throws another error for one of its lock
      });
    if (run.length > 0) await noteOldest(trx, known);
  });
}

function sourceOf(known: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...known],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({ up, down: async () => {} }),
  };
}

/** Stores which older versions work on this schema. */
async function noteOldest(trx: Knex.Transaction, known: readonly Migration[]): Promise<void> {
  const oldest = known
    .map(({ worksFrom }) => worksFrom)
    .sort()
    .at(-1);
  await trx.raw("UPDATE schema_works_from SET migration = ?::text", [oldest ?? null]);
}

/** Whether the schema is newer and this version works on it. @throws OperatorError */
async function isNewer(trx: Knex.Transaction, known: readonly Migration[]): Promise<boolean> {
  if (!(await trx.schema.hasTable("knex_migrations"))) return false;
  const applied = new Set<string>(await trx("knex_migrations").orderBy("id").pluck("name"));
  const names = known.map(({ name }) => name);
  const unknown = [...applied].filter((name) => !names.includes(name));
  if (unknown.length === 0) return false;
  if (names.every((name) => applied.has(name)) && (await worksFrom(trx)) <= (names.at(-1) ?? "")) return true;
  throw new OperatorError(
    `a newer version of the service has changed the database (${unknown.join(", ")}), and this one does not work on it; run that version or a later one, or restore a backup from before`,
  );
}

async function worksFrom(trx: Knex.Transaction): Promise<string> {
  const { rows } = await trx.raw("SELECT migration FROM schema_works_from");
  return rows[0].migration;
}
