import pg from "pg";
import { onTestFinished } from "vitest";

/** Another transaction, which holds what its statements have locked. */
export interface Holder {
  run(statement: string): Promise<void>;
  /** Ends the transaction, and gives everything free. */
  end(how: "COMMIT" | "ROLLBACK"): Promise<void>;
}

/** Begins a transaction on a connection of its own, for one test. */
export async function useHolder(databaseUrl: string, ...statements: readonly string[]): Promise<Holder> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const run = async (statement: string) => void (await client.query(statement));
  await run("BEGIN");
  for (const statement of statements) await run(statement);
  return { run, end: run };
}
