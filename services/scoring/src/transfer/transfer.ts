import Bourne from "@hapi/bourne";
import Joi from "joi";
import type { Knex } from "knex";
import { faults, storedName as name, strict } from "../model/fields.ts";
import { labelSet } from "../model/label-set.ts";
import { clockToleranceS } from "../model/limits.ts";
import { problemBody } from "../model/problem.ts";
import { unstorable } from "../model/storable.ts";
import type { Database } from "../store/database.ts";
import { keyOf } from "../store/key.ts";

/** Rows cannot be imported; the message names the line and says what is wrong with it. Nothing was stored. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** How many rows of each table were stored. */
export interface Imported {
  readonly scores: number;
  readonly problems: number;
}

type Row = Readonly<Record<string, unknown>>;

interface Table {
  /** The names that identify a row within its area. */
  readonly key: readonly string[];
  /** Those of its series, in the order of the scrape. */
  readonly labels: readonly string[];
  /** What a newer row replaces. */
  readonly values: readonly string[];
  readonly schema: Joi.ObjectSchema;
}

/** Of a row only the first fault is told. */
const first: Joi.ValidationOptions = { ...strict, abortEarly: true };

const target = {
  area: name(200).required(),
  team: name(200).required(),
  app: name(200).required(),
  env: name(200).required(),
};

const time = Joi.string().custom((value: string, { message }) =>
  isTime(value) ? value : message({ custom: "must be a time in UTC, such as 2026-01-31T12:00:00.123456Z" }),
);

const tables: Readonly<Record<keyof Imported, Table>> = {
  scores: {
    key: ["team", "app", "env", "scorecard", "metric"],
    labels: ["area", "team", "app", "env", "scorecard", "metric"],
    values: ["score", "raw", "scorer", "pipeline_id", "project_repo", "reported_at"],
    schema: Joi.object({
      ...target,
      scorecard: name(200).required(),
      metric: name(200).required(),
      score: Joi.number().min(0).max(100).precision(2).required(),
      raw: Joi.object().required().unknown(),
      scorer: name(1000).required(),
      pipeline_id: name(200),
      project_repo: name(2048),
      reported_at: time.required(),
    }).prefs(first),
  },
  problems: {
    key: ["team", "app", "env", "problem_type"],
    labels: ["area", "team", "app", "env", "problem_type", "severity"],
    values: ["severity", "count", "details", "chat_channel", "opened_at", "reported_at"],
    schema: (problemBody as Joi.ObjectSchema)
      .keys({ ...target, problem_type: name(200).required(), chat_channel: name(200) })
      .keys({ opened_at: time, reported_at: time.required() })
      .prefs(first),
  },
};

/** How columns are read where JSON has another form for them; times keep their microseconds. */
const readAs: Readonly<Record<string, string>> = {
  score: "score::float8 AS score",
  opened_at: utc("opened_at"),
  reported_at: utc("reported_at"),
};

function utc(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${column}`;
}

/** Rows held at a time; one can have a mebibyte. */
const pageRows = 100;

/**
 * Gives every score and problem of one moment as a line of JSON, without its line feed: `{"table":"scores",…}` with the
 * columns as fields. What is null is left out, and so are `key` and `labels`, which the import makes anew.
 */
export async function* exportRows({ background }: Database): AsyncGenerator<string> {
  const trx = await background.transaction();
  try {
    await trx.raw("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (const [table, { key, values }] of Object.entries(tables)) {
      const columns = ["area", ...key, ...values].map((column) => readAs[column] ?? column);
      await trx.raw(`DECLARE page NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM ${table} ORDER BY area, key`);
      for (;;) {
        const { rows }: { rows: Row[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
        for (const row of rows) yield JSON.stringify({ table, ...withoutNull(row) });
        if (rows.length < pageRows) break;
      }
      await trx.raw("CLOSE page");
    }
  } finally {
    await trx.rollback();
  }
}

/** Of the columns alone: a null inside `raw` is part of its value. */
function withoutNull(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rows are stored when they are so many, or their lines so many characters. */
const batchRows = 500;
const batchCharacters = 4 * 1_048_576;

/**
 * Stores exported rows, all or none. A row replaces only an older one of its key, by `reported_at`; so of two with one
 * key the newer counts, wherever it comes from, and what was reported here in the meantime stays. Alert threads do not
 * move: the next alert of an open problem starts a new one.
 *
 * @returns how many rows were stored; the others are not newer than what is there
 * @throws ImportError at the first line that cannot be taken
 */
export async function importRows({ background }: Database, lines: AsyncIterable<string>): Promise<Imported> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    for (const table of Object.keys(tables)) {
      await trx.raw(`CREATE TEMP TABLE imported_${table} (LIKE ${table}) ON COMMIT DROP`);
    }
    const latest = await latestTime(trx);
    let number = 0;
    let characters = 0;
    let batch: Record<keyof Imported, Row[]> = { scores: [], problems: [] };
    for await (const line of lines) {
      const { table, row } = readLine(line, ++number, latest);
      batch[table].push(row);
      characters += line.length;
      if (batch[table].length < batchRows && characters < batchCharacters) continue;
      await stage(trx, batch);
      batch = { scores: [], problems: [] };
      characters = 0;
    }
    await stage(trx, batch);
    return { scores: await merge(trx, "scores"), problems: await merge(trx, "problems") };
  });
}

/**
 * The latest time that a row may have, in milliseconds since 1970, by the database's clock. A later one would stay for good:
 * `reported_at` never goes back.
 */
async function latestTime(trx: Knex): Promise<() => number> {
  const { rows } = await trx.raw("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now");
  const ahead = rows[0].now - Date.now();
  return () => Date.now() + ahead + clockToleranceS * 1_000;
}

async function stage(trx: Knex, batch: Readonly<Record<keyof Imported, readonly Row[]>>): Promise<void> {
  for (const [table, rows] of Object.entries(batch)) {
    if (rows.length === 0) continue;
    const records = `json_populate_recordset(null::imported_${table}, ?::json)`;
    await trx.raw(`INSERT INTO imported_${table} SELECT * FROM ${records}`, [JSON.stringify(rows)]);
  }
}

/** Only here rows of the store are locked, in the order of keys as by every other write. */
async function merge(trx: Knex, table: keyof Imported): Promise<number> {
  const { key, values } = tables[table];
  const columns = ["area", ...key, ...values, "key", "labels"].join(", ");
  const { rows } = await trx.raw(`
    WITH merged AS (
      INSERT INTO ${table} AS former (${columns})
      SELECT DISTINCT ON (area, key) ${columns} FROM imported_${table} ORDER BY area, key, reported_at DESC
      ON CONFLICT (area, key) DO UPDATE SET ${[...values, "labels"].map((column) => `${column} = excluded.${column}`)}
      WHERE former.reported_at < excluded.reported_at
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM merged
  `);
  return rows[0].count;
}

function readLine(line: string, number: number, latest: () => number): { table: keyof Imported; row: Row } {
  const refuse = (fault: string) => new ImportError(`line ${number}: ${fault}; nothing was imported`);
  const value = parse(line);
  if (!isRow(value)) throw refuse("is not a JSON object");
  const { table, ...fields } = value;
  if (table !== "scores" && table !== "problems") throw refuse('table must be "scores" or "problems"');
  const { key, labels, schema } = tables[table];
  const { value: row, error } = schema.validate(fields);
  const [fault] = error ? faults(error) : [unstorable(row.raw, "raw")];
  if (fault) throw refuse(`${fault.path} ${fault.message}`);
  const early = (["reported_at", "opened_at"] as const).find((field) => Date.parse(row[field]) > latest());
  if (early) throw refuse(`${early} is more than ${clockToleranceS} s ahead of the database's clock`);
  if (table === "problems") {
    if (row.count > 0 !== "opened_at" in row)
      throw refuse("opened_at must be there while count is above 0, and only then");
    row.severity = row.severity.toLowerCase();
  }
  const pick = (names: readonly string[]) => names.map((name) => [name, row[name]] as [string, string]);
  const made = { key: keyOf(pick(key).map(([, name]) => name)), labels: labelSet(Object.fromEntries(pick(labels))) };
  return { table, row: { ...row, ...made } };
}

function parse(line: string): unknown {
  try {
    return Bourne.parse(line);
  } catch {
    return undefined;
  }
}

/** A moment that exists, in UTC, with up to six decimals of a second. */
function isTime(text: string): boolean {
  const [, seconds] = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z$/.exec(text) ?? [];
  if (seconds === undefined) return false;
  const date = new Date(`${seconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
}
