import Bourne from "@hapi/bourne";
import Joi from "joi";
import { faults, storedName as name, strict } from "../model/fields.ts";
import { labelSet } from "../model/label-set.ts";
import { clockToleranceS } from "../model/limits.ts";
import { problemBody } from "../model/problem.ts";
import { unstorable } from "../model/storable.ts";
import { keyOf } from "../store/key.ts";
import { ImportError } from "./import-error.ts";
import { type TableName, type TableRow, tables } from "./tables.ts";

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

const schemas: Readonly<Record<TableName, Joi.ObjectSchema>> = {
  scores: Joi.object({
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
  problems: (problemBody as Joi.ObjectSchema)
    .keys({ ...target, problem_type: name(200).required(), chat_channel: name(200) })
    .keys({ opened_at: time, reported_at: time.required() })
    .prefs(first),
};

/**
 * Reads a line of an import into a row with all columns.
 *
 * @param number of the line, from 1
 * @param latest gives the latest time that the row may have, in milliseconds since 1970
 * @throws ImportError
 */
export function readRow(line: string, number: number, latest: () => number): { table: TableName; row: TableRow } {
  const refuse = (fault: string) => new ImportError(number, fault);
  const value = parse(line);
  if (!isRow(value)) throw refuse("is not a JSON object");
  const { table, ...fields } = value;
  if (table !== "scores" && table !== "problems") throw refuse('table must be "scores" or "problems"');
  const { key, labels } = tables[table];
  const { value: row, error } = schemas[table].validate(fields);
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

function isRow(value: unknown): value is TableRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
