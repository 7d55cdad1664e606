import type { Knex } from "knex";
import type { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/** The database has migrations that this version of the service does not know; the message names them. */
export class NewerDatabaseError extends Error {
  override readonly name = "NewerDatabaseError";
}

/** Names the advisory lock under which schema changes run: "maturity" in ASCII, as a 64-bit number. */
export const migrationLock = "7881708870654588025";

/**
 * Brings the schema up to date, in one transaction. Of several processes that start at once one does it, and the others
 * wait, however long it takes.
 *
 * @param onWait is told when another process is at it
 * @throws NewerDatabaseError
 */
export async function migrate({ background }: Database, onWait: () => void = () => {}): Promise<void> {
  await background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    const { rows } = await trx.raw("SELECT pg_try_advisory_xact_lock(?::bigint) AS free", [migrationLock]);
    if (!rows[0].free) {
      onWait();
      await trx.raw("SELECT pg_advisory_xact_lock(?::bigint)", [migrationLock]);
    }
    await refuseNewer(trx);
    await trx.migrate.latest({ migrationSource });
  });
}

const migrationSource: Knex.MigrationSource<(typeof migrations)[number]> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({ up, down: async () => {} }),
};

async function refuseNewer(trx: Knex.Transaction): Promise<void> {
  if (!(await trx.schema.hasTable("knex_migrations"))) return;
  const known = new Set(migrations.map(({ name }) => name));
  const applied: string[] = await trx("knex_migrations").orderBy("id").pluck("name");
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new NewerDatabaseError(
    `a newer version of the service has changed the database (${unknown.join(", ")}); run that version or a later one, or restore a backup from before`,
  );
}
