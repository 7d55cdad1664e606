import { parseConfig } from "../config.ts";
import { openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import type { Action, Io } from "./command.ts";
import { print } from "./print.ts";

/** Runs an action on the database of the settings, with its schema up to date, and prints what it returns. */
export async function onDatabase(action: Action, { env, stdout, stderr }: Io): Promise<void> {
  const { databaseUrl } = parseConfig(env);
  const database = openDatabase(databaseUrl, 1);
  try {
    await migrate(database, () => stderr.write("another process is changing the schema; waiting for it\n"));
    await print([await action(database)], stdout);
  } finally {
    await database.close();
  }
}
