import { test } from "vitest";
import { expectMovesKeepAll } from "./support/moves/run.ts";
import { query } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";
import { useServiceProcess } from "./support/service-process.ts";

test("moves and merges at random lose, double or leave nothing, while reports come in under all names", async () => {
  const databaseUrl = await createDatabase("postgres");
  const start = () => useServiceProcess({ DATABASE_URL: databaseUrl, LOG_LEVEL: "fatal" });
  const addresses = await Promise.all([start(), start()].map(async (instance) => (await instance).address()));
  await expectMovesKeepAll({
    ...{ databaseUrl, addresses, moves: Number(process.env.MOVES ?? 25) },
    async disturb(number, action) {
      if (number % 10 !== 5) return;
      await action.inside(1 + (number % 7));
      await query(
        databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name IN ('maturity-service', 'maturity-service background')`,
      );
    },
  });
});
