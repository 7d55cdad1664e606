import { parseCollectFile } from "@maturity/collect";
import { metricNamed } from "@maturity/report-files/metric-name";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { rows } from "../../../services/scoring/test/support/requests.ts";
import { startService } from "../../../services/scoring/test/support/service.ts";
import { collect, operations, sqlFile, useServer, useTables } from "./support/collecting.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
let env: Record<string, string>;
beforeAll(() => {
  env = { MATURITY_URL: service.url, DATABASE: inject("postgresUrl") };
});

const stored = async (team: string) => (await service.rows("scores")).filter((row) => row.team === team);

test("the file of the README can be used", async () => {
  const [example] = (await blocks("packages/collect/README.md")).filter(({ info }) => info === "collect.yaml");
  const variables = { PROMETHEUS_TOKEN: "t0ken" };
  const { queries } = parseCollectFile(example?.text ?? "", "collect.yaml", { env: variables, metricNamed });
  expect(queries.map(({ name }) => name)).toEqual(["availability"]);
});

test("the queries of docs/recipes.md that are SQL", async () => {
  const [recipe] = (await blocks("docs/recipes.md")).filter(({ info }) => info === "collect.yaml");
  const flags = ["recovery", "detection", "failed changes"].flatMap((name) => ["--only", name]);
  const outcome = await collect(recipe?.text ?? "", flags, { ...env, OPERATIONS_URL: await useTables(operations) });
  expect(outcome).toEqual({
    code: 0,
    stdout: "recovery (mttr): 1 sent\ndetection (mttd): 2 sent\nfailed changes (change_failure_rate): 1 sent\n",
    stderr: "",
  });
  const scores = (await stored("checkout")).map(({ app, metric, raw, score }) => [app, metric, raw, Number(score)]);
  expect(scores.sort()).toEqual([
    ["cart", "change_failure_rate", { rate_pct: 12.5 }, 70],
    ["cart", "mttd", { minutes: 5 }, 100],
    ["cart", "mttr", { minutes: 90 }, expect.closeTo(97.45)],
    ["till", "mttd", { minutes: 10 }, expect.closeTo(93.03)],
  ]);
});

describe("what stands in a column", () => {
  test.each<[value: string, sent: number | undefined, said: string]>([
    ["99.5", 99.5, ""],
    ["99::bigint", 99, ""],
    ["0.1::float8", 0.1, ""],
    ["round(99.123, 2)", 99.12, ""],
    ["NULL::int", undefined, "note: sla: row 1: $value is null\n"],
    ["'NaN'::numeric", undefined, "note: sla: row 1: $value is NaN\n"],
    ["'-Infinity'::float8", undefined, "note: sla: row 1: $value is -Infinity\n"],
    [
      "interval '90 minutes'",
      undefined,
      'warning: sla: row 1: availability_pct: $value is the text "01:30:00" and must be a number or a boolean; cast it: ::float8\n',
    ],
    ["true", undefined, "warning: sla: row 1: raw.availability_pct must be a number; it is true\n"],
    ["100.5", undefined, "warning: sla: row 1: raw.availability_pct must be less than or equal to 100; it is 100.5\n"],
  ])("%s", async (value, sent, said) => {
    const team = `columns ${value}`;
    const { code, stderr } = await collect(sqlFile(team, { sla: `SELECT 'cart' AS app, ${value} AS value` }), [], env);
    expect({ code, stderr }).toEqual({
      code: said.startsWith("warning") ? (said.includes("raw.") ? 3 : 2) : 0,
      stderr: said,
    });
    expect((await stored(team)).map(({ raw }) => raw)).toEqual(sent === undefined ? [] : [{ availability_pct: sent }]);
  });
});

describe("a query that fails does not stop the others, and says why", () => {
  test.each<[what: string, sql: string, said: string]>([
    ["a mistake", "SELEC 1", 'syntax error at or near "SELEC"'],
    [
      "a column that is not there",
      "SELECT 'a' AS app, 1 AS number",
      "the result has no column value; it has app, number",
    ],
    [
      "a column that is there twice",
      "SELECT 'a' AS app, 1 AS value, 2 AS value",
      "the result has 2 columns of the name value",
    ],
    ["a write", "DELETE FROM pg_class", "cannot execute DELETE in a read-only transaction"],
    [
      "a write by a function",
      "SELECT 'a' AS app, nextval('numbers') AS value",
      "cannot execute nextval() in a read-only transaction",
    ],
    ["a second statement", "COMMIT; DROP TABLE pg_class", "the query must be one statement"],
    ["one that ends the transaction", "COMMIT", "the result has no column app; it has none"],
    [
      "one that takes too long",
      "SELECT 'a' AS app, 1 AS value FROM pg_sleep(60)",
      "the statement took longer than 10000 ms",
    ],
    [
      "two rows of one application",
      "SELECT 'a' AS app, n AS value FROM generate_series(1, 2) AS n",
      "row 1 and row 2 are both of shop/failing/a/prod: group the rows by what the target is made of",
    ],
  ])("%s", async (what, sql, said) => {
    const DATABASE = await useTables("CREATE SEQUENCE numbers");
    const file = sqlFile("failing", { "mttr first": sql, sla: `SELECT '${what}' AS app, 99 AS value` });
    const withTimeout = file.replace(
      '"postgres":',
      `"timeout":"${what === "one that takes too long" ? "10s" : "10m"}","postgres":`,
    );
    const { code, stdout, stderr } = await collect(withTimeout, [], { ...env, DATABASE });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "mttr first (mttr): 0 sent\nsla (sla): 1 sent\n",
      stderr: `warning: mttr first: ${said}\n`,
    });
    expect((await stored("failing")).map(({ app }) => app)).toContain(what);
  });
});

test("a database that is not there, and one that refuses, by messages without its password", async () => {
  const file = sqlFile("absent", { sla: "SELECT 1" });
  const absent = await collect(file, [], { ...env, DATABASE: "postgres://reader:hunter2@127.0.0.1:1/x" });
  expect(absent).toMatchObject({
    code: 2,
    stderr: "warning: sla: cannot reach the database: connect ECONNREFUSED 127.0.0.1:1\n",
  });
  const DATABASE = Object.assign(new URL(inject("postgresUrl")), { pathname: "/hunter2", password: "hunter2" }).href;
  const refused = await collect(file, ["--json"], { ...env, DATABASE });
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.stdout).queries[0].error).toMatch(/password authentication failed|database "\*\*\*"/);
  expect(refused.stdout + refused.stderr).not.toContain("hunter2");
});

test("a result without end is broken off", async () => {
  const sql = "SELECT repeat(md5(n::text), 30000) AS app, 99 AS value FROM generate_series(1, 1000) AS n";
  expect(await collect(sqlFile("long", { sla: sql }), [], env)).toMatchObject({
    code: 2,
    stderr: "warning: sla: the result is longer than 64 MiB: aggregate it in the query\n",
  });
});

test("thousands of results go in batches, and those that the service refuses are named", async () => {
  const sql =
    "SELECT 'app ' || n AS app, CASE WHEN n IN (7, 2001) THEN 101 ELSE 99 END AS value FROM generate_series(1, 2500) AS n";
  const { code, stdout, stderr } = await collect(sqlFile("many", { sla: sql }), [], env);
  const said = "raw.availability_pct must be less than or equal to 100; it is 101";
  expect({ code, stdout, stderr }).toEqual({
    code: 3,
    stdout: "sla (sla): 2498 sent, 2 faulty\n",
    stderr: `warning: sla: row 7: ${said}\nwarning: sla: row 2001: ${said}\n`,
  });
  expect(await stored("many")).toHaveLength(2_498);
});

test("rows outside the bounds of the token are named, and the others sent", async () => {
  const guarded = await startService({ auth: "token" });
  onTestFinished(() => guarded.stop());
  await guarded.server.start();
  const token = createToken();
  const grant = { name: "test", hash: hashToken(token), scopes: ["score:write"], bounds: { area: "shop" } } as const;
  await insertToken(guarded.database.knex, grant);
  const sql = `SELECT CASE WHEN n % 2 = 0 THEN 'shop' ELSE 'bank' END AS area, 'app ' || n AS app, 99 AS value
    FROM generate_series(1, 2500) AS n`;
  const file = sqlFile("bounds", { sla: sql }).replace('"area":"shop"', '"area":"$area"');
  const variables = { ...env, MATURITY_URL: guarded.server.info.uri, MATURITY_TOKEN: token };
  const { code, stdout, stderr } = await collect(file, [], variables);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "sla (sla): 1250 sent, 1250 faulty\n" });
  expect(stderr).toContain('warning: sla: row 1: area must be "shop"; it is "bank"\n');
  expect(await rows(guarded, "scores")).toHaveLength(1_250);
});

test.each([
  [404, 2, "the answer has status 404 and is none of the service"],
  [500, 4, "with status 500, is not the service"],
])(
  "where no service answers, but a page of status %i, it is asked once, and the program ends with %i",
  async (status, exit, why) => {
    const { url, requests } = await useServer((_, response) => void response.writeHead(status).end("not here"));
    const sql = "SELECT 'a' AS app, 99 AS value";
    const file = sqlFile("away", { sla: sql, mttr: sql, mttd: "SELECT" });
    const { code, stderr } = await collect(file, [], { ...env, MATURITY_URL: url });
    expect({ code, requests: requests.length }).toEqual({ code: exit, requests: 1 });
    const [sla = "", mttr, ...others] = stderr.split("\n");
    expect(sla).toContain(why);
    expect(mttr).toBe(sla.replace("sla", "mttr"));
    expect(others).toEqual(["warning: mttd: the result has no column app; it has none", ""]);
  },
);

test("--soft-fail passes an unreachable service, but no query that failed", async () => {
  const { url } = await useServer((_, response) => void response.writeHead(500).end("not here"));
  const away = { ...env, MATURITY_URL: url };
  const sla = "SELECT 'a' AS app, 99 AS value";
  expect(await collect(sqlFile("away", { sla }), ["--soft-fail"], away)).toMatchObject({ code: 0 });
  expect(await collect(sqlFile("away", { sla, mttd: "SELECT" }), ["--soft-fail"], away)).toMatchObject({ code: 2 });
});

test("a dry run needs no service and shows what it would send", async () => {
  const file = sqlFile("dry", { sla: "SELECT 'cart' AS app, 99.5 AS value" });
  const { DATABASE = "" } = env;
  expect(await collect(file, ["--dry-run"], { DATABASE })).toEqual({
    code: 0,
    stdout: 'sla (sla): 1 to send\n  shop / dry / cart / prod {"availability_pct":99.5}\n',
    stderr: "",
  });
  const { stdout } = await collect(file, ["--dry-run", "--json"], { DATABASE });
  expect(JSON.parse(stdout)).toEqual({
    dry_run: true,
    queries: [
      {
        ...{
          name: "sla",
          scorecard: "reliability",
          metric: "sla",
          sent: 0,
          skipped: [],
          faults: [],
          notes: [],
          exit: 0,
        },
        submissions: [
          {
            ...{ area: "shop", team: "dry", app: "cart", env: "prod" },
            ...{ scorecard: "reliability", metric: "sla", raw: { availability_pct: 99.5 } },
          },
        ],
      },
    ],
  });
});

test("a dry run leaves out what the service would refuse", async () => {
  const { DATABASE = "" } = env;
  const rows =
    "SELECT * FROM (VALUES ('cart', 99.5::float8), ('till', -1), (E'a\u200bb', 50), (' x', 50)) AS row (app, value)";
  expect(await collect(sqlFile("dry", { sla: rows }), ["--dry-run"], { DATABASE })).toEqual({
    code: 2,
    stdout: 'sla (sla): 1 to send, 3 faulty\n  shop / dry / cart / prod {"availability_pct":99.5}\n',
    stderr: `warning: sla: row 2: raw does not fit reliability.sla: raw.availability_pct: must be greater than or equal to 0
warning: sla: row 3: app must not hold U+200B, which is not printable, as character 2
warning: sla: row 4: app must be a text of 1 to 200 characters, without a space at either end
`,
  });
});

describe("wrong use", () => {
  const file = sqlFile("wrong", { sla: "SELECT" });
  test.each<[what: string, flags: readonly string[], env: Record<string, string>, said: string]>([
    [
      "no service",
      [],
      { DATABASE: "postgres://db/x" },
      "the address of the service is missing: give --url or MATURITY_URL, or without a token url in maturity.yaml (maturity init writes one)",
    ],
    ["a time that is none", ["--every", "5"], {}, "--every must be a time from 1s to 14d, such as 5m or 1h30m"],
    ["a time that is too short", ["--every", "10ms"], {}, "--every must be a time from 1s to 14d, such as 5m or 1h30m"],
    [
      "two flags that exclude each other",
      ["--every", "5m", "--dry-run"],
      {},
      "--dry-run is for a single run, without --every",
    ],
    [
      "a variable that is not set",
      ["--dry-run"],
      {},
      "collect.yaml cannot be used: line 1: sources.database.postgres needs the environment variable DATABASE, which is not set",
    ],
    [
      "a query that is not there",
      ["--only", "x", "--dry-run"],
      {},
      "collect.yaml cannot be used: line 1: queries has no x; it has sla",
    ],
  ])("%s", async (_, flags, env, said) => {
    expect(await collect(file, flags, env)).toEqual({ code: 2, stdout: "", stderr: `maturity: ${said}\n` });
  });
});
