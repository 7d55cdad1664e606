import { describe, expect, inject, test } from "vitest";
import { query } from "../../../services/scoring/test/support/postgres.ts";
import { until } from "../../../services/scoring/test/support/service.ts";
import { collect, sqlFile, useCollecting, useTables } from "./support/collecting.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();

test("--every writes no document, since it has no end", async () => {
  const { code, stdout } = await collect(sqlFile("endless", { sla: "SELECT" }), ["--every", "5m", "--json"], {
    DATABASE: "postgres://db/x",
  });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 2, error: { code: "wrong-usage" } });
});

describe("--every", () => {
  test("runs again and again, a line each, until the process is asked to end", async () => {
    const empty = "SELECT 'cart' AS app, 99 AS value WHERE false";
    const file = sqlFile("every", { sla: "SELECT 'cart' AS app, 99 AS value", mttr: "SELECT", mttd: empty });
    const process = await useCollecting(file, ["--every", "1s"], {
      DATABASE: inject("postgresUrl"),
      MATURITY_URL: service.url,
    });
    await until(() => process.stdout().split("\n").length > 2);
    process.stop();
    expect(await process.exit).toBe(0);
    const line =
      /^\d{4}-\d\d-\d\dT[\d:.]+Z 3 queries: 1 sent; mttr: the result has no column app; it has none; mttd: no rows, so nothing is sent$/;
    for (const text of process.stdout().trimEnd().split("\n")) expect(text).toMatch(line);
  });

  test("ends while PostgreSQL is busy", async () => {
    const DATABASE = await useTables("SELECT");
    const file = sqlFile("every", { sla: "SELECT 'a' AS app, 1 AS value FROM pg_sleep(600)" });
    const process = await useCollecting(file, ["--every", "1h"], { DATABASE, MATURITY_URL: service.url });
    const busy = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND application_name = 'maturity collect'`;
    await until(async () => (await query(DATABASE, busy)).rowCount === 1);
    process.stop();
    expect([await process.exit, process.stdout()]).toEqual([0, ""]);
  });
});
