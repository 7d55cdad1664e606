import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasCode, OperatorError } from "../model/errors.ts";
import { openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import type { Action, Io } from "./command.ts";
import { parseConfig } from "./config.ts";
import { print } from "./print.ts";

/** Runs an action on the database of the settings, as `Context.onDatabase` says. */
export async function onDatabase(
  action: Action,
  { env, stdout, stderr }: Io,
  use: "read" | "write" | "make" = "write",
): Promise<void> {
  const { databaseUrl, databaseReadUrl } = parseConfig(env);
  if (use !== "make") requireEmbedded(databaseUrl);
  const database = openDatabase(databaseUrl, 1, use === "read" ? databaseReadUrl : undefined);
  const onWait = () => void stderr.write("another process is changing the schema; waiting for it\n");
  try {
    if (use !== "read") await migrate(database, onWait);
    await print([await action(database).catch(explainSchema)], stdout);
  } finally {
    await database.close();
  }
}

/** Refuses a directory without an embedded database, which would be made there, and has nothing to show. */
function requireEmbedded(databaseUrl: string): void {
  const [, directory] = /^pglite:(?!:memory:$)(.+)$/s.exec(databaseUrl) ?? [];
  if (directory === undefined || existsSync(join(directory, "PG_VERSION"))) return;
  throw new OperatorError(
    `DATABASE_URL: there is no database in ${directory}; the service makes one at its first start`,
  );
}

/** Says of a table or a column that is missing what makes it. */
function explainSchema(error: unknown): never {
  if (!hasCode(error, "42P01") && !hasCode(error, "42703")) throw error;
  throw new OperatorError(
    "the database is empty or of an older version; start this version of the service on it to migrate it",
    { cause: error },
  );
}
