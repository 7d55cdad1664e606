import type { Target } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";
import { type EntryFault, type NoteFault, readFileContent } from "./collect-file.ts";
import { parseDuration } from "./duration.ts";
import { pointsOf, type Query, type Range, type Source, type Term } from "./query.ts";
import { type CollectFile, fileSchema, type QueryEntry } from "./schema.ts";
import { sourceOf } from "./source.ts";

/** What to collect. */
export interface CollectConfig {
  readonly queries: readonly Query[];
  /** What no message may show. */
  readonly secrets: readonly string[];
}

/** A metric of a scorecard. */
export interface MetricName {
  readonly scorecard: string;
  readonly metric: string;
}

/** What a collect file is read with. */
export interface ConfigOptions {
  /** Fills in `${NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of queries; the others are left out, and the sources that only they need may lack their variables. */
  readonly only?: readonly string[] | undefined;
  /** The metric that a name in the file means. Throws an error that says why it means none. */
  readonly metricNamed: (name: string) => MetricName;
}

/** The most points of a series that Prometheus returns. */
const maxPoints = 11_000;
/** Of 30 days, three may be missing: a restart and a lost scrape are common, a week is not. */
const defaultMinPoints = 0.9;

/**
 * Reads a collect file.
 *
 * @param name of the file, for the message
 * @throws CollectFileError that lists every fault
 */
export function parseCollectFile(text: string, name: string, options: ConfigOptions): CollectConfig {
  const content = readFileContent(text, name);
  const { value: file, error } = fileSchema(options.metricNamed).validate(content.value);
  if (error) throw content.refusal(error.details);
  const faults: EntryFault[] = [];
  const config = compose(file, options, faults);
  if (faults.length > 0) throw content.refusal(faults);
  return config;
}

function compose(file: CollectFile, { env, only, metricNamed }: ConfigOptions, faults: EntryFault[]): CollectConfig {
  const names = file.queries.map(({ name }) => name);
  for (const name of only ?? []) {
    if (!names.includes(name))
      faults.push({ path: ["queries"], message: `has no ${name}; it has ${names.join(", ")}` });
  }
  const wanted = [...file.queries.entries()].filter(([, { name }]) => only?.includes(name) ?? true);
  const sources = new Map<string, Source>();
  const secrets: string[] = [];
  for (const [name, entry] of Object.entries(file.sources)) {
    if (!wanted.some(([, { source }]) => source === name)) continue;
    const { source, hidden } = sourceOf(name, entry, env, (path, message) =>
      faults.push({ path: ["sources", name, ...path], message }),
    );
    sources.set(name, source);
    secrets.push(...hidden);
  }
  const queries: Query[] = [];
  for (const [index, entry] of wanted) {
    const source = sources.get(entry.source);
    if (!source) {
      const message = `is none of the sources: ${Object.keys(file.sources).join(", ")}`;
      faults.push({ path: ["queries", index, "source"], message });
      continue;
    }
    const whole = { ...entry, target: { ...file.target, ...entry.target } };
    const note: NoteFault = (path, message) => faults.push({ path: ["queries", index, ...path], message });
    queries.push({ ...queryOf(whole, source, note), ...metricNamed(entry.metric) });
  }
  return { queries, secrets };
}

function queryOf(entry: QueryEntry, source: Source, fault: NoteFault): Omit<Query, keyof MetricName> {
  const raw = Object.fromEntries(Object.entries(entry.raw).map(([field, value]) => [field, termOf(value)]));
  for (const [field, term] of Object.entries(raw)) {
    if (source.kind === "prometheus" && "field" in term && term.field !== "value") {
      fault(["raw", field], "must be $value, the value of the series, or a constant");
    }
  }
  const target = Object.fromEntries(
    targetFields.map((field) => {
      const text = entry.target?.[field];
      if (text === undefined)
        fault(["target", field], "is missing: a constant, or $ and the name of a label or column");
      return [field, termOf(text ?? "")];
    }),
  ) as Record<keyof Target, Term>;
  const range = rangeOf(entry, source, fault);
  return { name: entry.name, source, text: entry.query, raw, target, ...(range && { range }) };
}

function rangeOf({ range }: QueryEntry, source: Source, fault: NoteFault): Range | undefined {
  if (!range) return undefined;
  if (source.kind === "postgres") fault(["range"], "is for queries of Prometheus only");
  const [lastMs = 0, stepMs = 1] = [range.last, range.step].map(parseDuration);
  const points = pointsOf({ lastMs, stepMs });
  if (points > maxPoints) {
    fault(
      ["range", "step"],
      `gives ${points} points a series, and Prometheus gives ${maxPoints} at most: make it longer`,
    );
  }
  return { lastMs, stepMs, reduce: range.reduce, minPoints: range.min_points ?? defaultMinPoints };
}

/** `$$` begins a constant that begins with `$`. */
function termOf(value: string | number | boolean): Term {
  if (typeof value !== "string" || !value.startsWith("$")) return { constant: value };
  return value.startsWith("$$") ? { constant: value.slice(1) } : { field: value.slice(1) };
}
