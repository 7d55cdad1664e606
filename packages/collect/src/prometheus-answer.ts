import { pointsOf, QueryError, type QueryResult, type Range, type ResultRow } from "./query.ts";

/**
 * The series of an answer of Prometheus's HTTP API, each with its value, or with that which the points of a range reduce
 * to. A value that is no finite number, and too few points, prove nothing.
 *
 * @param body as parsed from JSON
 * @throws QueryError with Prometheus's own message, where the answer is none of Prometheus, or where it is incomplete
 */
export function readAnswer(body: unknown, range?: Range): QueryResult {
  const { status, error, data, warnings, infos, isPartial } = fieldsOf(body);
  if (status === "error" && typeof error === "string") throw new QueryError(error);
  const { resultType, result } = fieldsOf(data);
  const notes = [warnings, infos].flatMap(listOf).map(String);
  const losses = listOf(warnings).map(String).filter(isLoss);
  if (isPartial === true) losses.push("a store did not answer");
  if (losses.length > 0) throw new QueryError(`the answer is incomplete: ${losses.join("; ")}`);
  if (resultType === "scalar") {
    return { rows: [rowOf("the scalar", {}, pointOf(result))], notes };
  }
  const expected = range ? "matrix" : "vector";
  if (resultType !== expected) throw new QueryError(wrongType(resultType));
  const rows = listOf(result).map((series): ResultRow => {
    const { metric, value, values, histogram, histograms } = fieldsOf(series);
    const labels = fieldsOf(metric);
    const name = nameOf(labels);
    if (histogram !== undefined || histograms !== undefined) {
      throw new QueryError(
        `${name} is a histogram and has no single value: use histogram_quantile, histogram_avg or such`,
      );
    }
    if (!range) return rowOf(name, labels, pointOf(value));
    const points = listOf(values)
      .map(pointOf)
      .filter((point) => Number.isFinite(point.value));
    const expected = pointsOf(range);
    if (points.length >= range.minPoints * expected) return rowOf(name, labels, reduced(points, range.reduce));
    const share = `${points.length} of ${expected} points are finite numbers`;
    return { ...rowOf(name, labels, { value: Number.NaN }), nothing: `${share}, and min_points is ${range.minPoints}` };
  });
  return { rows, notes };
}

/**
 * Does a warning say that data is missing? Those of PromQL's engine are about the query, and begin with its name
 * (prometheus/util/annotations); all others come from a store.
 */
function isLoss(warning: string): boolean {
  return !/^PromQL (?:warning|info)\b/.test(warning);
}

/** A value, and its time (RFC 3339) if that is stated. */
interface Point {
  readonly value: number;
  readonly measuredAt?: string;
}

function pointOf(pair: unknown): Point {
  const [seconds, text] = listOf(pair);
  const isTime = typeof seconds === "number" && seconds >= earliest && seconds <= latest;
  return { value: numberOf(text), ...(isTime && { measuredAt: new Date(seconds * 1_000).toISOString() }) };
}

/** The years 2000 to 9999, in seconds since 1970. Any other time is that of no measurement. */
const [earliest, latest] = [946_684_800, 253_402_300_799];

function rowOf(name: string, labels: ResultRow["labels"], { value, measuredAt }: Point): ResultRow {
  const row = { name, labels, values: { value }, ...(measuredAt && { measuredAt }) };
  return Number.isFinite(value) ? row : { ...row, nothing: `$value is ${value}` };
}

function wrongType(type: unknown): string {
  if (type === "matrix") return "the query gives a range of points: add a function such as avg_over_time, or a range";
  if (type === "string") return "the query gives a text, not a number";
  return "the answer is none of Prometheus's HTTP API";
}

/** The value of a range, with the time of its last point. */
function reduced(points: readonly Point[], how: Range["reduce"]): Point {
  const value = reducedValue(
    points.map((point) => point.value),
    how,
  );
  return { ...points.at(-1), value };
}

function reducedValue(points: readonly number[], how: Range["reduce"]): number {
  const sum = () => points.reduce((total, point) => total + point, 0);
  switch (how) {
    case "avg":
      return sum() / points.length;
    case "sum":
      return sum();
    case "min":
      return points.reduce((least, point) => Math.min(least, point));
    case "max":
      return points.reduce((most, point) => Math.max(most, point));
    case "last":
      return points.at(-1) ?? Number.NaN;
  }
}

/** Prometheus writes numbers as texts, since JSON knows neither NaN nor infinity. */
function numberOf(text: unknown): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  if (text === "-Inf") return Number.NEGATIVE_INFINITY;
  return typeof text === "string" && text !== "" ? Number(text) : Number.NaN;
}

/** `{app="cart", team="checkout"}`, as Prometheus writes a series. */
function nameOf(labels: Readonly<Record<string, unknown>>): string {
  const { __name__: name = "", ...others } = labels;
  const pairs = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.sort().join(", ")}}`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
