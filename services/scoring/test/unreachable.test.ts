import { expect, test } from "vitest";
import { explainDatabase } from "../src/store/explain-database.ts";
import { isUnreachable } from "../src/store/failures.ts";
import { query } from "./support/postgres.ts";
import { until, useService } from "./support/service.ts";

test("where a connection is ended within a transaction, the database counts as unreachable, and a command names its setting", async () => {
  const { database, databaseUrl } = await useService();
  const error = await database.background
    .transaction(async (trx) => {
      const { rows } = await trx.raw("SELECT pg_backend_pid() AS pid");
      await query(databaseUrl, "SELECT pg_terminate_backend($1)", [rows[0].pid]);
      await until(() =>
        trx.raw("SELECT 1").then(
          () => false,
          () => true,
        ),
      );
      await trx.raw("SELECT 1");
    })
    .catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Error);
  expect({ error, isUnreachable: isUnreachable(error) }).toMatchObject({ isUnreachable: true });
  expect(explainDatabase(error)).toMatch(
    /^DATABASE_URL postgres:\S+: [^;]+; PostgreSQL ended the connection, and its log says why; run the command again$/,
  );
});
