import { randomInt } from "node:crypto";
import { Boom } from "@hapi/boom";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errorTable, type ServiceErrorCode } from "../src/model/errors.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { bodies, validProblem, validScore, validScores } from "./support/fuzz-bodies.ts";
import { hostileNames } from "./support/hostile-names.ts";
import { query, withDatabase } from "./support/postgres.ts";
import { report } from "./support/problem-report.ts";
import { post, rows } from "./support/requests.ts";
import { createDatabase, startService, type TestService, useService } from "./support/service.ts";

/** A fourth of them for each endpoint. */
const inputs = Number(process.env.FUZZ_INPUTS ?? 1_000);
const inBatch = 50;
const batches = Math.ceil(inputs / 4 / inBatch);
const queries = Math.ceil(inputs / 4);

/** Others in each run; FUZZ_SEED repeats those of a former one. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const run = `FUZZ_SEED=${seed} FUZZ_INPUTS=${inputs}`;
const timeout = 120_000 + 50 * inputs;

type Fields = Readonly<Record<string, unknown>>;

const scoreNames = ["area", "team", "app", "env", "scorecard", "metric"];
const problemNames = ["area", "team", "app", "env", "problem_type"];

let service: TestService;
let secret: string;
beforeAll(async () => {
  process.stdout.write(`${run}\n`);
  const databaseUrl = await createDatabase("postgres");
  secret = `pw-${crypto.randomUUID()}`;
  const user = `fuzz_${crypto.randomUUID().replaceAll("-", "")}`;
  await query(withDatabase(databaseUrl, "postgres"), `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${secret}'`);
  service = await startService({
    databaseUrl: Object.assign(new URL(databaseUrl), { username: user, password: secret }).href,
  });
});
afterAll(() => service.stop());

/** Checks that an answer is a documented error and shows nothing of the inside; returns its code. */
function checkRefusal(status: number, text: string): string {
  const body = JSON.parse(text);
  const { code, details = [] } = body;
  expect(body).toEqual({
    statusCode: status,
    error: new Boom("", { statusCode: status }).output.payload.error,
    message: expect.any(String),
    code: expect.any(String),
    ...("details" in body && {
      details: details.map(() => ({ path: expect.any(String), message: expect.any(String) })),
    }),
  });
  expect(errorTable[code as ServiceErrorCode]?.status).toBe(status);
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/\.ts:\d|node_modules|\bat \S+ \(|INSERT INTO|ON CONFLICT|json_to_recordset|postgres:\/\//);
  expect(text).not.toContain(secret);
  expect(text.length).toBeLessThan(100_000);
  return code;
}

/** Fails when something of the database changes: counts rows and adds up their versions. */
async function versions(): Promise<unknown> {
  const one = (table: string) => `SELECT count(*), sum(hashtext(xmin::text || ctid::text)::bigint) FROM ${table}`;
  return (await service.database.knex.raw(`${one("scores")} UNION ALL ${one("problems")}`)).rows;
}

/** Objects as JSON knows them, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, child) =>
    typeof child === "object" && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}

const keyOf = (names: readonly string[], row: Fields) => JSON.stringify(names.map((name) => row[name]));

/** What must stand in the table of scores for a submission with this answer. */
function storedScore(sent: Fields, { score, scorer }: Fields): Fields {
  const { pipeline_id = null, project_repo = null, ...rest } = sent;
  return { ...rest, score, scorer, pipeline_id, project_repo };
}

function storedProblem(sent: Fields): Fields {
  return { details: [], chat_channel: null, ...sent, severity: String(sent.severity).toLowerCase() };
}

/** What one body that was taken must have stored, in order. */
type Expected = (sent: Fields, answer: Fields) => readonly Fields[];

const endpoints: readonly [
  url: string,
  valid: fc.Arbitrary<object>,
  table: "scores" | "problems",
  expected: Expected,
][] = [
  ["/score", validScore, "scores", (sent, answer) => [storedScore(sent, answer)]],
  [
    "/scores",
    validScores,
    "scores",
    (sent, answer) =>
      (sent.scores as Fields[]).map((one, index) => storedScore(one, (answer.scores as Fields[])[index] ?? {})),
  ],
  ["/problem/scan-result", validProblem, "problems", (sent) => [storedProblem(sent)]],
];

/** Names the failure alone: a batch fills many screens. */
function reporter<T>({ failed, numRuns, errorInstance }: fc.RunDetails<T>): void {
  if (failed) throw new Error(`input ${numRuns} of ${run} failed`, { cause: errorInstance });
}

const known = { scores: new Map<string, Set<string>>(), problems: new Map<string, Set<string>>() };

test.each(endpoints)("bodies for POST %s", { timeout }, async (url, valid, table, expected) => {
  const names = table === "scores" ? scoreNames : problemNames;
  const codes = new Map<string, number>();
  const count = (what: string) => codes.set(what, (codes.get(what) ?? 0) + 1);
  let batch = 0;

  const send = async (payload: Buffer) => {
    const headers = { "content-type": "application/json" };
    const { statusCode, payload: text } = await service.server.inject({ method: "POST", url, headers, payload });
    try {
      if (statusCode !== 200) return { code: checkRefusal(statusCode, text), stored: [] };
      return { code: "accepted", stored: expected(JSON.parse(payload.toString()), JSON.parse(text)) };
    } catch (cause) {
      throw new Error(`the answer to ${JSON.stringify(payload.toString().slice(0, 1_000))}`, { cause });
    }
  };

  const property = fc.asyncProperty(
    fc.array(bodies(valid), { minLength: inBatch, maxLength: inBatch }),
    async (payloads) => {
      const answers = await Promise.all(payloads.map(send));
      const written = new Map<string, Set<string>>(); // of one batch any may be the last
      for (const { code, stored } of answers) {
        count(code);
        const last = new Map(stored.map((row) => [keyOf(names, row), canonical(row)]));
        for (const [key, row] of last) written.set(key, (written.get(key) ?? new Set()).add(row));
      }
      for (const [key, candidates] of written) known[table].set(key, candidates);
      if (batch++ % 10 !== 0) return;
      const before = await versions();
      const refused = payloads.filter((_, index) => answers[index]?.code !== "accepted");
      for (const { code } of await Promise.all(refused.map(send))) expect(code).not.toBe("accepted");
      expect(await versions()).toEqual(before);
    },
  );
  await fc.assert(property, { numRuns: batches, seed, endOnFailure: true, reporter });

  process.stdout.write(`${url}: ${batches * inBatch} bodies, ${JSON.stringify(Object.fromEntries(codes))}\n`);
  expect([...codes.values()].reduce((sum, one) => sum + one, 0)).toBe(batches * inBatch);
  for (const code of ["accepted", "invalid-payload"]) {
    expect(codes.get(code), code).toBeGreaterThan((batches * inBatch) / 10);
  }
});

test.each([
  ["PUT", "/registry", { owner: "Ann", repo: "x", tier: "1", labels: { a: "b" } }],
  ["POST", "/apps/move", {}],
  ["POST", "/apps/retire", { reason: "gone" }],
  ["POST", "/apps/restore", {}],
] as const)("bodies for %s %s", { timeout }, async (method, url, more) => {
  const other = await useService();
  const name = fc.constantFrom(...hostileNames);
  const app = fc.record({ area: name, team: name, app: name });
  const valid = url === "/apps/move" ? fc.record({ from: app, to: app }) : app.map((one) => ({ ...one, ...more }));
  const codes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(bodies(valid), async (payload) => {
      const headers = { "content-type": "application/json" };
      const { statusCode, payload: text } = await other.server.inject({ method, url, headers, payload });
      const code = statusCode === 200 ? "accepted" : checkRefusal(statusCode, text);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }),
    { numRuns: queries, seed, endOnFailure: true, reporter },
  );
  process.stdout.write(`${url}: ${JSON.stringify(Object.fromEntries(codes))}\n`);
  expect(codes.get("invalid-payload")).toBeGreaterThan(queries / 10);
});

test("all that was accepted is stored exactly as sent, and nothing else", async () => {
  for (const [table, names] of [
    ["scores", scoreNames],
    ["problems", problemNames],
  ] as const) {
    const stored = await rows(service, table);
    expect(stored).toHaveLength(known[table].size);
    for (const {
      reported_at,
      measured_at,
      opened_at,
      past_openings,
      labels,
      id,
      application_id,
      target_id,
      metric_id,
      ...others
    } of stored) {
      const { changed_at, changed_by, former_score, former_at, ...row } = others;
      const shown = canonical("score" in row ? { ...row, score: Number(row.score) } : row);
      expect(known[table].get(keyOf(names, row)) ?? new Set()).toContain(shown);
      for (const time of [reported_at, measured_at]) expect(time).toBeInstanceOf(Date);
    }
  }
});

test("all that was accepted is on /metrics, once, with the value stored", async () => {
  const { payload } = await service.server.inject("/metrics?collect[]=scores&collect[]=timestamps&collect[]=problems");
  const samples = parseExposition(payload);
  const seen = new Map(samples.map(({ name, labels, value }) => [canonical([name, labels]), value]));
  expect(seen.size).toBe(samples.length);
  const pick = (row: Fields, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]));
  const wanted = new Map<string, number>();
  for (const row of await rows(service, "scores")) {
    wanted.set(canonical(["maturity_score", pick(row, scoreNames)]), Number(row.score));
    const time = Math.round(Number(row.reported_at)) / 1_000;
    wanted.set(canonical(["maturity_score_measured_timestamp_seconds", pick(row, scoreNames)]), time);
  }
  for (const row of await rows(service, "problems")) {
    wanted.set(canonical(["maturity_problem_count", pick(row, [...problemNames, "severity"])]), Number(row.count));
  }
  expect(seen.size).toBe(wanted.size);
  for (const [series, value] of wanted) expect(Math.abs((seen.get(series) ?? Number.NaN) - value)).toBeLessThan(0.0011);
});

const parameters = ["area", "team", "app", "env", "collect[]"];

const pair = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...parameters) },
      { weight: 1, arbitrary: fc.constantFrom("collect", "area[]", "area[0]", "__proto__", "constructor", "", "Area") },
    ),
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...hostileNames, "scores", "timestamps", "weights", "problems") },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 250 }).filter((text) => text.isWellFormed()) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("\0", "\n", "\r\nx: y", "\u001b[31m", "a".repeat(201), "a".repeat(10_000)),
      },
    ),
    fc.constantFrom("well", "well", "well", "raw", "broken"),
  )
  .map(([name, value, written]) => {
    if (written === "well") return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    return `${name}=${written === "raw" ? encodeURI(value) : encodeURIComponent(value).replaceAll("%", "%f")}`;
  });

test("query strings for GET /metrics", { timeout }, async () => {
  const small = await useService();
  for (const name of hostileNames) {
    const names = { area: name, team: name, app: name, env: name };
    const body = { ...names, scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };
    expect(await post(small, "/score", body)).toMatchObject({ status: 200 });
    expect(await report(small, { ...names, problem_type: name })).toMatchObject({ status: 200 });
  }
  const codes = new Map<string, number>();
  const property = fc.asyncProperty(fc.array(pair, { maxLength: 4 }), async (pairs) => {
    const { statusCode, payload } = await small.server.inject(`/metrics?${pairs.join("&")}`);
    const code = statusCode === 200 ? "accepted" : checkRefusal(statusCode, payload);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (statusCode !== 200) return;
    const asked = new URLSearchParams(pairs.join("&"));
    const shown = parseExposition(payload).filter(({ labels }) => "app" in labels);
    const among = (name: string, value = "") => !asked.has(name) || asked.getAll(name).includes(value);
    const wanted = hostileNames.filter((name) => parameters.slice(0, 4).every((field) => among(field, name)));
    const families = ["scores", "timestamps", "problems"].filter((family) => among("collect[]", family));
    expect(shown).toHaveLength(wanted.length * families.length);
    for (const { labels } of shown) expect(wanted).toContain(labels.app);
  });
  await fc.assert(property, { numRuns: queries, seed, endOnFailure: true, reporter });
  process.stdout.write(`/metrics: ${JSON.stringify(Object.fromEntries(codes))}\n`);
  for (const code of ["accepted", "invalid-payload"]) expect(codes.get(code), code).toBeGreaterThan(queries / 20);
});
