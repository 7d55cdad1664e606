import type { AnySubmission } from "@maturity/client";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import { nameFault, targetFields } from "@maturity/core/wire";
import type { PathFault } from "@maturity/report-files/conclude";
import { timeFault } from "@maturity/report-files/measured";
import { type MetricName, metricNamed } from "@maturity/report-files/metric-name";
import { parseValue } from "@maturity/report-files/raw-values";
import type { PastResult, PastResults } from "./past-result.ts";
import { type Row, rowsOf } from "./table.ts";

/** What rows say that have no such field. */
export interface Frame {
  readonly target: Partial<Target>;
  readonly metric: MetricName | undefined;
}

const origins = ["pipeline_id", "project_repo"] as const;
const known: ReadonlySet<string> = new Set([
  ...targetFields,
  ...["scorecard", "metric", "measured_at", "raw"],
  ...origins,
]);

/**
 * Reads a table in CSV or NDJSON. Each row is a result: a field `raw` with an object, or fields such as `raw.critical`,
 * have its values.
 *
 * @param now milliseconds since 1970
 */
export function readRows(text: string, frame: Frame, now: number): PastResults {
  const results: PastResult[] = [];
  const faults: PathFault[] = [];
  const others = new Set<string>();
  for (const row of rowsOf(text)) {
    const place = `line ${row.line}`;
    const found: string[] = row.fault === undefined ? [] : [row.fault];
    const submission = row.fault === undefined ? submissionOf(row.fields, frame, now, found) : undefined;
    for (const name of Object.keys(row.fields)) if (!known.has(name) && !name.startsWith("raw.")) others.add(name);
    if (submission && found.length === 0) results.push({ place, submission });
    else faults.push({ path: place, message: found.join("; ") });
  }
  const notes = others.size === 0 ? [] : [`these columns are passed over: ${[...others].join(", ")}`];
  return { results, faults, notes };
}

/** @param faults gets what is wrong */
function submissionOf(
  fields: Row["fields"],
  { target, metric }: Frame,
  now: number,
  faults: string[],
): PastResult["submission"] {
  const names = { ...target, ...textsOf(fields, targetFields, faults) };
  for (const field of targetFields) {
    const fault = names[field] === undefined ? `is missing; a column or --${field} gives it` : nameFault(names[field]);
    if (fault) faults.push(`${field} ${fault}`);
  }
  const time = textsOf(fields, ["measured_at"], faults).measured_at;
  const wrongTime = time === undefined ? "is missing" : timeFault(time, now);
  if (wrongTime) faults.push(`measured_at ${wrongTime}`);
  return {
    ...(names as Target),
    ...metricOf(fields, metric, faults),
    raw: rawOf(fields, faults),
    measured_at: time ?? "",
    ...(textsOf(fields, origins, faults) as Partial<AnySubmission>),
  };
}

/** Those of the fields that are there. */
function textsOf<Name extends string>(
  fields: Row["fields"],
  names: readonly Name[],
  faults: string[],
): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined || value === null || value === "") continue;
    if (typeof value === "string") texts[name] = value;
    else faults.push(`${name} must be a text`);
  }
  return texts;
}

function metricOf(fields: Row["fields"], given: MetricName | undefined, faults: string[]): MetricName {
  const { scorecard, metric } = textsOf(fields, ["scorecard", "metric"], faults);
  if (scorecard !== undefined && metric !== undefined) return { scorecard, metric };
  try {
    if (metric !== undefined) return metricNamed(metric);
    if (given) return given;
    faults.push("metric is missing; a column or --metric gives it");
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    faults.push(`metric: ${error.message}`);
  }
  return { scorecard: "", metric: "" };
}

function rawOf(fields: Row["fields"], faults: string[]): object {
  const values = new Map<string, unknown>();
  const whole = Object.hasOwn(fields, "raw") ? fields.raw : undefined;
  const raw = typeof whole === "string" && whole !== "" ? parseValue(whole) : whole;
  if (typeof raw === "object" && raw !== null && !Array.isArray(raw)) {
    for (const [name, value] of Object.entries(raw)) values.set(name, value);
  } else if (raw !== undefined && raw !== null && raw !== "") faults.push("raw must be an object in JSON");
  for (const [name, value] of Object.entries(fields)) {
    if (!name.startsWith("raw.") || value === "" || value === null) continue;
    const field = name.slice(4);
    if (values.has(field)) faults.push(`${name} stands in raw too`);
    values.set(field, typeof value === "string" ? parseValue(value) : value);
  }
  if (values.size === 0) faults.push("raw is missing: give columns such as raw.critical, or raw as an object in JSON");
  return Object.fromEntries(values);
}
