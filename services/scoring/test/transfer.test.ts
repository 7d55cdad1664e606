import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportCommand, importCommand } from "../src/cli/transfer.ts";
import { unstorable } from "../src/storable.ts";
import type { Database } from "../src/store/database.ts";
import { saveProblem } from "../src/store/problems.ts";
import { saveScores } from "../src/store/scores.ts";
import { exportRows, importRows } from "../src/store/transfer.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { hiddenNames, hostileNames } from "./support/hostile-names.ts";
import { report } from "./support/problem-report.ts";
import { post, rows } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";
import { startCommand } from "./support/service-command.ts";

const score = {
  table: "scores",
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" },
  score: 62.51,
  raw: { high: 0, medium: 5 },
  scorer: "@maturity/security@1.0.0",
  reported_at: "2026-01-31T12:00:00.123456Z",
};
const problem = {
  table: "problems",
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", problem_type: "secret", severity: "high", count: 1 },
  details: [{ file: "a.tf" }],
  opened_at: "2026-01-31T11:00:00.000001Z",
  reported_at: "2026-01-31T12:00:00.123456Z",
};

const service = async (kind: (typeof engines)[number]) => useService({ databaseUrl: await createDatabase(kind) });

/** The time in so many seconds, as an export writes it. */
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

const lines = (...rows: readonly (object | string)[]) =>
  Readable.from(rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))));

async function collect(database: Database): Promise<string[]> {
  const collected: string[] = [];
  for await (const line of exportRows(database)) collected.push(line);
  return collected;
}

/** All that is stored, times with their microseconds. */
async function contents({ database }: { database: Database }): Promise<object> {
  const more = "encode(key, 'hex') AS key, extract(epoch FROM reported_at)::text AS reported";
  const scores = await database.knex.raw(`SELECT *, ${more} FROM scores ORDER BY area, labels`);
  const opened = "extract(epoch FROM opened_at)::text AS opened";
  const problems = await database.knex.raw(`SELECT *, ${more}, ${opened} FROM problems ORDER BY area, labels`);
  return [scores.rows, problems.rows];
}

/** The bytes of a file, cut where no line and no character ends. */
async function exported(database: Database): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk);
      setImmediate(done);
    },
  });
  await exportCommand(output).read([])(database);
  const file = Buffer.concat(chunks);
  return Array.from({ length: Math.ceil(file.length / 7) }, (_, index) => file.subarray(index * 7, index * 7 + 7));
}

test("everything moves from the embedded database to PostgreSQL and back, and is the same", async () => {
  const trial = await service("pglite");
  for (const [index, name] of hostileNames.entries()) {
    const names = { area: name, team: name, app: name, env: name };
    const raw = { high: 0, medium: index, scanner: { [`${name}.`]: [name, null, 1e308, 5e-324, 0.1] } };
    const more = { scorecard: "security", metric: "dast", raw, pipeline_id: name, project_repo: name };
    expect(await post(trial, "/score", { ...names, ...more })).toMatchObject({ status: 200 });
    const details = index % 3 === 0 ? [] : [{ file: name, line: 0, description: `${name}\n\u0001\u2028` }];
    const problem = { ...names, problem_type: name, count: index % 3, details, chat_channel: name };
    expect(await report(trial, problem)).toMatchObject({ status: 200 });
  }
  // The embedded clock has milliseconds only, that of PostgreSQL microseconds.
  await trial.database.knex.raw("UPDATE scores SET reported_at = reported_at + interval '7 microseconds'");
  await trial.database.knex.raw("UPDATE problems SET opened_at = opened_at - interval '3 microseconds'");
  const before = await contents(trial);
  const moved = { scores: hostileNames.length, problems: hostileNames.length };
  const told = `Stored scores: ${moved.scores}, problems: ${moved.problems}. `;

  const postgres = await service("postgres");
  const file = await exported(trial.database);
  expect(await importCommand(Readable.from(file)).read([])(postgres.database)).toContain(told);
  expect(await contents(postgres)).toEqual(before);
  expect(Buffer.concat(await exported(postgres.database))).toEqual(Buffer.concat(file));

  const back = await service("pglite");
  expect(await importRows(back.database, exportRows(postgres.database))).toEqual(moved);
  expect(await contents(back)).toEqual(before);
  const scrapes = await Promise.all([trial, postgres, back].map(({ server }) => server.inject("/metrics")));
  const [first, ...others] = scrapes.map(({ payload }) =>
    parseExposition(payload)
      .map((sample) => JSON.stringify(sample))
      .sort(),
  );
  for (const other of others) expect(other).toEqual(first);
});

test("names that only a former version took move too, and are scraped as they are", async () => {
  const [from, to] = await Promise.all([service("postgres"), service("postgres")]);
  const targets = hiddenNames.map((name) => ({ area: name, team: name, app: name, env: name }));
  const { table: _, ...scored } = score;
  const { table: __, ...found } = { ...problem, severity: "high" as const };
  await saveScores(
    from.database.knex,
    targets.map((names) => ({ ...scored, ...names, pipeline_id: names.area })),
  );
  for (const names of targets) {
    await saveProblem(from.database.knex, { ...found, ...names, problem_type: names.area, chat_channel: names.area });
  }
  const moved = { scores: hiddenNames.length, problems: hiddenNames.length };
  expect(await importRows(to.database, exportRows(from.database))).toEqual(moved);
  expect(await contents(to)).toEqual(await contents(from));
  const { payload } = await to.server.inject("/metrics?collect[]=problems");
  expect(
    parseExposition(payload)
      .map(({ labels }) => labels.problem_type)
      .sort(),
  ).toEqual([...hiddenNames].sort());
});

test("any raw that can be stored moves as it is", async () => {
  const { app: _, ...common } = { ...score, table: undefined, raw: undefined };
  const looksLikeRow = fc.record({ table: fc.jsonValue(), area: fc.jsonValue(), key: fc.constant(null) });
  const raw = fc
    .dictionary(fc.string({ unit: "grapheme" }), fc.oneof(fc.jsonValue(), looksLikeRow, fc.constant(null)))
    .filter((value) => !JSON.stringify(value).includes("__proto__") && !unstorable(value, "raw"));
  const raws = [
    { table: "scores", area: "shop", app: null, nested: { table: 1, area: 2, x: null } },
    ...fc.sample(raw, 500),
  ];
  const [from, to] = await Promise.all([service("postgres"), service("postgres")]);
  await saveScores(
    from.database.knex,
    raws.map((raw, index) => ({ ...common, app: `${index}`, raw })),
  );
  expect(await importRows(to.database, exportRows(from.database))).toEqual({ scores: raws.length, problems: 0 });
  const stored = async ({ database }: { database: Database }) =>
    (await database.knex.raw("SELECT raw::text AS raw FROM scores ORDER BY app")).rows.map(
      ({ raw }: { raw: string }) => raw,
    );
  const [before, after] = await Promise.all([stored(from), stored(to)]);
  expect(after.filter((raw: string, index: number) => raw !== before[index])).toEqual([]);
});

describe.each(engines)("an import on %s", (kind) => {
  test("replaces older rows and leaves newer and equally old ones, wherever two of one key come from", async () => {
    const { database } = await service(kind);
    const at = (hour: number, changes: object = {}) => ({
      ...score,
      reported_at: `2026-01-31T${hour}:00:00Z`,
      score: hour,
      ...changes,
    });
    const stored = async () => (await collect(database)).map((line) => JSON.parse(line).score);
    expect(await importRows(database, lines(at(12), at(14), at(13)))).toEqual({ scores: 1, problems: 0 });
    expect(await stored()).toEqual([14]);
    expect(await importRows(database, lines(at(13), at(14, { score: 1 })))).toEqual({ scores: 0, problems: 0 });
    expect(await stored()).toEqual([14]);
    const newer = at(14, { reported_at: "2026-01-31T14:00:00.000001Z", score: 2 });
    expect(await importRows(database, lines(newer))).toEqual({ scores: 1, problems: 0 });
    expect(await stored()).toEqual([2]);
  });

  test("changes the series of a problem with its severity, and the next report goes on from there", async () => {
    const one = await service(kind);
    await importRows(one.database, lines(problem));
    await importRows(one.database, lines({ ...problem, severity: "LOW", reported_at: "2026-02-01T00:00:00Z" }));
    const series = async () => {
      const { payload } = await one.server.inject("/metrics?collect[]=problems");
      return parseExposition(payload).map(({ labels, value }) => ({ severity: labels.severity, value }));
    };
    expect(await series()).toEqual([{ severity: "low", value: 1 }]);
    const { area, team, app, env, problem_type } = problem;
    await report(one, { area, team, app, env, problem_type, count: 5 });
    expect(await series()).toEqual([{ severity: "high", value: 5 }]);
    expect(await rows(one, "problems")).toMatchObject([{ opened_at: new Date("2026-01-31T11:00:00.000Z") }]);
  });

  const { raw: _, ...withoutRaw } = score;
  const { opened_at: __, ...unopened } = problem;
  const refused: Readonly<Record<string, readonly [row: object | string, message: RegExp]>> = {
    "no JSON": ['{"table":', /is not a JSON object/],
    "an empty line": ["", /is not a JSON object/],
    "a list": ["[]", /is not a JSON object/],
    __proto__: ['{"table":"scores","__proto__":{}}', /is not a JSON object/],
    "no table": [{ ...score, table: undefined }, /table must be "scores" or "problems"/],
    "an unknown table": [{ ...score, table: "tokens" }, /table must be "scores" or "problems"/],
    "a table of every object": [{ ...score, table: "constructor" }, /table must be/],
    "an unknown field": [{ ...score, colour: 1 }, /colour is not a field/],
    "a field of the other table": [{ ...score, count: 1 }, /count is not a field/],
    "labels of its own": [{ ...score, labels: '{area="forged"}' }, /labels is not a field/],
    "a key of its own": [{ ...problem, key: "x" }, /key is not a field/],
    "a missing field": [withoutRaw, /raw is required/],
    "a missing time": [{ ...problem, reported_at: undefined }, /reported_at is required/],
    "a name with a line feed": [{ ...score, metric: 'x"} 1\nforged' }, /metric must be a text of 1 to 200/],
    "a name with NUL": [{ ...problem, area: "\0" }, /area must be a text/],
    "a score as text": [{ ...score, score: "5" }, /score must be a number/],
    "a score above 100": [{ ...score, score: 100.01 }, /score must be less than or equal to 100/],
    "a score of three decimals": [{ ...score, score: 1.005 }, /score must have no more than 2 decimal places/],
    "a score that is no number": [JSON.stringify(score).replace("62.51", "NaN"), /is not a JSON object/],
    "raw with NUL": [{ ...score, raw: { a: ["\0"] } }, /raw\.a\[0\] must not hold NUL/],
    "raw with too large a number": [JSON.stringify(score).replace(":5", ":1e400"), /raw\.medium is too large/],
    "an unknown severity": [{ ...problem, severity: "worst" }, /severity must be one of/],
    "a count below 0": [{ ...problem, count: -1 }, /count must be greater than or equal to 0/],
    "more details than findings": [
      { ...problem, details: [{ file: "a" }, { file: "b" }] },
      /details must have at most/,
    ],
    "an unknown field of a detail": [{ ...problem, details: [{ file: "a", x: 1 }] }, /details\[0\]\.x is not a field/],
    "a report in the future": [{ ...score, reported_at: inSeconds(60) }, /reported_at is more than 10 s ahead of the/],
    "a report of the year 2999": [{ ...score, reported_at: "2999-12-31T23:59:59Z" }, /reported_at is more than 10 s/],
    "an opening in the future": [{ ...problem, opened_at: inSeconds(60) }, /opened_at is more than 10 s ahead of the/],
    "an open problem without its opening": [unopened, /opened_at must be there while count is above 0/],
    "a resolved problem with an opening": [{ ...problem, count: 0, details: [] }, /opened_at must be there while/],
    ...Object.fromEntries(
      [
        "2026-02-30T00:00:00Z",
        "2026-01-31",
        "2026-01-31T12:00:00+01:00",
        "2026-01-31T24:00:00Z",
        "now",
        "infinity",
        1,
      ].map(
        (reported_at) => [`the time ${reported_at}`, [{ ...score, reported_at }, /reported_at must be a t/]] as const,
      ),
    ),
  };

  test("refuses each wrong row with its line, and then stores nothing at all", async () => {
    const { database } = await service(kind);
    await importRows(database, lines({ ...score, area: "before" }));
    const before = await collect(database);
    for (const [name, [row, message]] of Object.entries(refused)) {
      const good = Array.from({ length: 600 }, (_, index) => ({ ...score, app: `${index}` }));
      const failure = await importRows(database, lines(...good, problem, row, score)).catch((error) => error);
      expect.soft(failure, name).toMatchObject({ name: "ImportError", message: expect.stringMatching(message) });
      expect.soft(failure.message, name).toMatch(/^line 602: .*; nothing was imported$/);
      expect.soft(await collect(database), name).toEqual(before);
    }
  });
});

test("a file that is cut off, no UTF-8 or one endless line is refused, with its line", async () => {
  const { database } = await service("postgres");
  const good = `${JSON.stringify(score)}\n`;
  const files: Readonly<Record<string, Buffer[]>> = {
    "line 2: is not a JSON object": [Buffer.from(good + good.slice(0, 50))],
    "line 3: is not, or what follows it is not, UTF-8": [Buffer.from(good + good), Buffer.from([0x22, 0xff, 0x0a])],
    "line 2: is longer than 8 MiB": [
      Buffer.from(good),
      ...Array.from({ length: 9 }, () => Buffer.alloc(1_048_576, "a")),
    ],
  };
  for (const [message, chunks] of Object.entries(files)) {
    await expect(importCommand(Readable.from(chunks)).read([])(database)).rejects.toThrow(message);
    expect(await collect(database)).toEqual([]);
  }
  expect(await importCommand(Readable.from([Buffer.from(`\ufeff${good.trim()}`)])).read([])(database)).toContain(
    "scores: 1,",
  );
});

test("an output that goes away ends the export, and its connection comes back", async () => {
  const { database } = await service("postgres");
  await importRows(database, lines(...Array.from({ length: 500 }, (_, index) => ({ ...score, app: `${index}` }))));
  const closed = new Writable({ write: (_, __, done) => done(new Error("EPIPE")) });
  await expect(exportCommand(closed).read([])(database)).rejects.toThrow("EPIPE");
  expect(await collect(database)).toHaveLength(500);
  expect(database.scrapes.client.pool.numUsed()).toBe(0);
});

test("export | head ends quietly, as other programs do whose reader has enough", async () => {
  const { database, databaseUrl } = await service("postgres");
  await importRows(database, lines(...Array.from({ length: 2_000 }, (_, index) => ({ ...score, app: `${index}` }))));
  const child = startCommand(["export"], { DATABASE_URL: databaseUrl });
  const stderr = text(child.stderr as Readable);
  child.stdout?.once("data", () => child.stdout?.destroy());
  const [code] = await once(child, "close");
  expect({ code, stderr: await stderr }).toEqual({ code: 141, stderr: "" });
});

test("10,000 rows of 10 KiB move both ways in a small part of their size", { timeout: 120_000 }, async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const count = 10_000;
  let most = 0;
  let moved = 0;
  const weigh = () => {
    if (moved++ % 500 !== 0) return;
    collectGarbage();
    most = Math.max(most, process.memoryUsage().heapUsed);
  };
  const [from, to] = await Promise.all([service("postgres"), service("postgres")]);
  weigh();
  const start = most;
  await importRows(from.database, many());
  expect(await importRows(to.database, weighed(exportRows(from.database)))).toEqual({ scores: count, problems: 0 });
  expect(moved).toBe(2 * count + 1);
  expect(most - start).toBeLessThan(40 * 1_048_576);

  async function* many(): AsyncGenerator<string> {
    for (let index = 0; index < count; index++) {
      weigh();
      yield JSON.stringify({ ...score, app: `app-${index}`, raw: { report: `${index}`.padEnd(10_240, "x") } });
    }
  }
  async function* weighed(rows: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const row of rows) {
      weigh();
      yield row;
    }
  }
});
