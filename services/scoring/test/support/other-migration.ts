import pg from "pg";
import { onTestFinished } from "vitest";
import { migrationLock } from "../../src/store/migrate.ts";
import { query } from "./postgres.ts";
import { until } from "./service.ts";

/** Another process that changes the schema. */
export interface OtherMigration {
  /** Waits until so many processes wait for it, each for longer than any other lock is waited for. */
  awaitedBy(processes: number): Promise<void>;
  finish(): Promise<void>;
}

/** Begins to change the schema, for one test. */
export async function useOtherMigration(databaseUrl: string): Promise<OtherMigration> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1::bigint)", [migrationLock]);
  const waiting = `
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'advisory' AND clock_timestamp() - query_start > interval '2 s'
  `;
  return {
    awaitedBy: (processes) => until(async () => (await query(databaseUrl, waiting)).rowCount === processes),
    async finish() {
      await client.query("COMMIT");
    },
  };
}
