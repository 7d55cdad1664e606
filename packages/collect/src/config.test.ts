import { expect, test } from "vitest";
import { type ConfigOptions, parseCollectFile } from "./config.ts";

const options: ConfigOptions = {
  metricNamed(name) {
    if (name === "slo") throw new Error("there is no metric slo; did you mean sla?");
    const [metric = "", scorecard = "reliability"] = name.split(".").reverse();
    return { scorecard, metric };
  },
  env: { TOKEN: "t0ken", DATABASE: "postgres://reader:hunter2@db/deployments", EMPTY: "" },
};

const whole = `
sources:
  prometheus:
    prometheus: https://prometheus.example.com/base/
    token: \${TOKEN}
    headers:
      X-Scope-OrgID: shop
    timeout: 1m30s
  deployments:
    postgres: \${DATABASE}
target:
  area: $$shop
  env: prod
queries:
  - name: availability
    source: prometheus
    query: 100 * avg by (team, app) (up)
    range: { last: 30d, step: 1h, reduce: avg }
    metric: sla
    raw: { availability_pct: $value }
    target: { team: $team, app: $service.name }
  - name: bill
    source: deployments
    query: SELECT team, app, amount FROM bills
    metric: cost.bill
    raw: { amount: $amount, currency: EUR, estimated: false }
    target: { team: $team, app: $app, env: dev }
`;

test("a whole file", () => {
  const prometheus = {
    kind: "prometheus",
    name: "prometheus",
    url: "https://prometheus.example.com/base",
    headers: { "X-Scope-OrgID": "shop", authorization: "Bearer t0ken" },
    timeoutMs: 90_000,
  };
  const deployments = { kind: "postgres", name: "deployments", url: options.env.DATABASE, timeoutMs: 30_000 };
  expect(parseCollectFile(whole, "collect.yaml", options)).toEqual({
    secrets: ["", "t0ken", options.env.DATABASE, "hunter2", "hunter2"],
    queries: [
      {
        name: "availability",
        source: prometheus,
        text: "100 * avg by (team, app) (up)",
        range: { lastMs: 2_592_000_000, stepMs: 3_600_000, reduce: "avg", minPoints: 0.9 },
        scorecard: "reliability",
        metric: "sla",
        raw: { availability_pct: { field: "value" } },
        target: {
          area: { constant: "$shop" },
          team: { field: "team" },
          app: { field: "service.name" },
          env: { constant: "prod" },
        },
      },
      {
        name: "bill",
        source: deployments,
        text: "SELECT team, app, amount FROM bills",
        scorecard: "cost",
        metric: "bill",
        raw: { amount: { field: "amount" }, currency: { constant: "EUR" }, estimated: { constant: false } },
        target: {
          area: { constant: "$shop" },
          team: { field: "team" },
          app: { field: "app" },
          env: { constant: "dev" },
        },
      },
    ],
  });
});

test("of the queries only those named, and their sources", () => {
  const env = { DATABASE: options.env.DATABASE };
  const { queries, secrets } = parseCollectFile(whole, "collect.yaml", { ...options, env, only: ["bill"] });
  expect(queries.map(({ name }) => name)).toEqual(["bill"]);
  expect(secrets).not.toContain("t0ken");
});

test("a header from the environment is secret", () => {
  const text = whole.replace("X-Scope-OrgID: shop", "X-Api-Key: key ${TOKEN}").replace("    token: ${TOKEN}\n", "");
  const { queries, secrets } = parseCollectFile(text, "collect.yaml", options);
  expect(queries[0]?.source).toMatchObject({ headers: { "X-Api-Key": "key t0ken" } });
  expect(secrets).toContain("key t0ken");
});

test("user and password", () => {
  const text = whole.replace("token: ${TOKEN}", "user: reader\n    password: ${TOKEN}");
  const { queries, secrets } = parseCollectFile(text, "collect.yaml", options);
  const credentials = "cmVhZGVyOnQwa2Vu";
  expect(queries[0]?.source).toMatchObject({ headers: { authorization: `Basic ${credentials}` } });
  expect(secrets).toContain(credentials);
});

/** What is changed in the whole file, and the faults that it then has. */
const faulty: Readonly<Record<string, readonly [from: string | RegExp, to: string, faults: readonly string[]]>> = {
  "an empty file": [/[\s\S]*/, "", ["line 1: sources is missing", "line 1: queries is missing"]],
  "no YAML": ["sources:", "sources: [", ["line 4: Nested mappings are not allowed in compact mappings"]],
  "a key twice": ["  env: prod", "  env: prod\n  env: dev", ["line 14: the key env stands there twice"]],
  "a variable inside braces": [
    "    token: ${TOKEN}",
    "    headers: { token: ${TOKEN} }",
    ["line 5: Unexpected flow-map-start at node end", 'inside { } a ${NAME} needs quotes: { token: "${NAME}" }'],
  ],
  "several faults at once": [
    /source: prometheus\n {4}query: .*|team: \$team, app: \$app, env: dev/g,
    "qery: up",
    [
      "line 15: queries[0].source is missing",
      "line 15: queries[0].query is missing",
      "line 16: queries[0].qery is not a setting",
      "line 26: queries[1].target.qery is not a setting",
    ],
  ],
  "a source that is none": [
    "source: deployments",
    "source: bills",
    ["line 23: queries[1].source is none of the sources: prometheus, deployments"],
  ],
  "a source without an address": [
    "postgres: ${DATABASE}",
    "timeout: 1s",
    ["line 10: sources.deployments needs prometheus or postgres, with the address of one"],
  ],
  "a source of both kinds": [
    "postgres: ${DATABASE}",
    "postgres: a\n    prometheus: b",
    ["line 10: sources.deployments cannot be prometheus and postgres at once"],
  ],
  "a token for a database": [
    "postgres: ${DATABASE}",
    "postgres: ${DATABASE}\n    token: ${TOKEN}",
    ["line 10: sources.deployments cannot have token"],
  ],
  "a user without a password": [
    "token: ${TOKEN}",
    "user: reader",
    ["line 4: sources.prometheus needs user and password, both or none"],
  ],
  "a database that is no PostgreSQL": [
    "postgres: ${DATABASE}",
    "postgres: mysql://db",
    ["line 10: sources.deployments.postgres must be postgres://user:password@host:5432/database"],
  ],
  "an address that is none": [
    "https://prometheus.example.com/base/",
    "prometheus:9090",
    ["line 4: sources.prometheus.prometheus must be an address such as http://prometheus:9090"],
  ],
  "a password in the address": [
    "https://prometheus.example.com/base/",
    "https://reader:hunter2@prometheus",
    ["line 4: sources.prometheus.prometheus must hold no user and no password; give them as user and password"],
  ],
  "variables that are not set": [
    /\$\{\w+\}/g,
    "${EMPTY}${ABSENT}",
    [
      "line 5: sources.prometheus.token needs the environment variable EMPTY, which is not set",
      "line 5: sources.prometheus.token needs the environment variable ABSENT, which is not set",
      "line 10: sources.deployments.postgres needs the environment variable EMPTY, which is not set",
      "line 10: sources.deployments.postgres needs the environment variable ABSENT, which is not set",
    ],
  ],
  "a variable outside of sources": [
    "env: prod",
    "env: ${TOKEN}",
    [
      "line 13: target.env must be a constant, or $ and the name of a label or column; ${NAME} is filled in under sources only",
    ],
  ],
  "two queries of one name": ["name: bill", "name: availability", ["line 22: queries[1] has a name that another has"]],
  "a metric that does not ship": [
    "metric: sla",
    "metric: slo",
    ["line 19: queries[0].metric cannot be: there is no metric slo; did you mean sla?"],
  ],
  "no raw values": [/raw: \{ avail.*/, "raw: {}", ["line 20: queries[0].raw must have an entry"]],
  "a label as raw value": [
    "availability_pct: $value",
    "availability_pct: $team",
    ["line 20: queries[0].raw.availability_pct must be $value, the value of the series, or a constant"],
  ],
  "a raw value that is composed": [
    "availability_pct: $value",
    "availability_pct: [1]",
    ["line 20: queries[0].raw.availability_pct must be a number, true, false, or $ and the name of a label or column"],
  ],
  "a target that is incomplete": [
    "team: $team, app: $service.name",
    "team: $team",
    ["line 21: queries[0].target.app is missing: a constant, or $ and the name of a label or column"],
  ],
  "a number as a name": [
    "app: $service.name",
    "app: 7",
    ["line 21: queries[0].target.app must be a text; put it between quotes"],
  ],
  "a time that is none": [
    "timeout: 1m30s",
    "timeout: 90",
    ["line 8: sources.prometheus.timeout must be a text; put it between quotes"],
  ],
  "a time without a unit": [
    "timeout: 1m30s",
    'timeout: "90"',
    ["line 8: sources.prometheus.timeout must be a time such as 30s, 5m, 1h30m or 30d"],
  ],
  "a time that is too long": [
    "timeout: 1m30s",
    "timeout: 1d",
    ["line 8: sources.prometheus.timeout must be at most 1h"],
  ],
  "a range with too many points": [
    "step: 1h",
    "step: 1m",
    ["line 18: queries[0].range.step gives 43201 points a series, and Prometheus gives 11000 at most: make it longer"],
  ],
  "a range that wants no point": [
    "range: { last: 30d, step: 1h, reduce: avg }",
    "range: { last: 30d, step: 1h, reduce: avg, min_points: 0 }",
    ["line 18: queries[0].range.min_points must be a number above 0"],
  ],
  "a range that wants a percentage of its points": [
    "range: { last: 30d, step: 1h, reduce: avg }",
    "range: { last: 30d, step: 1h, reduce: avg, min_points: 90 }",
    ["line 18: queries[0].range.min_points must be at most 1"],
  ],
  "a range that cannot be reduced so": [
    "reduce: avg",
    "reduce: median",
    ["line 18: queries[0].range.reduce must be one of [avg, min, max, sum, last]"],
  ],
  "a range of SQL": [
    "metric: cost.bill",
    "metric: cost.bill\n    range: { last: 1d, step: 1h, reduce: avg }",
    ["line 26: queries[1].range is for queries of Prometheus only"],
  ],
};

const refusalOf = (text: string, more: Partial<ConfigOptions> = {}) => {
  try {
    parseCollectFile(text, "collect.yaml", { ...options, ...more });
  } catch (error) {
    return error as { name: string; message: string; details: { path: string; message: string }[] };
  }
  throw new Error("it was taken");
};

test.each(Object.entries(faulty))("%s", (_, [from, to, faults]) => {
  const changed = whole.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), () => to);
  const { name, message, details } = refusalOf(changed);
  expect(name).toBe("CollectFileError");
  expect(message).toMatch(/^collect\.yaml cannot be used: /);
  expect(message).not.toContain("hunter2");
  const lines = details.map(({ path, message }) => `${path} ${message}`.trim());
  expect(lines).toEqual(faults);
});

test("a query that is none", () => {
  expect(refusalOf(whole, { only: ["bill", "bil"] }).message).toBe(
    "collect.yaml cannot be used: line 15: queries has no bil; it has availability, bill",
  );
});
