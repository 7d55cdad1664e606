import { insteadOf } from "@maturity/command-line/did-you-mean";
import type { Flags } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import type { AssumedSeverity, ReportMetric } from "@maturity/reports";
import { type MetricName, metricNamed } from "./metric-name.ts";
import { parseRawValues } from "./raw-values.ts";
import { type MergedReading, readReports } from "./readings.ts";
import type { Sources } from "./report-files.ts";

/** The raw values of a metric. */
export interface MetricResult extends MetricName {
  readonly raw: Readonly<Record<string, unknown>>;
  /** The reports that they come from; absent if all of them come from `--raw`. */
  readonly reading?: MergedReading;
}

/**
 * Reads reports and the values of `--raw` into one result for each metric.
 *
 * @throws UsageError, ReportError
 */
export async function readResults(args: readonly string[], flags: Flags, sources: Sources): Promise<MetricResult[]> {
  const byHand = parseRawValues((flags.raw as readonly string[] | undefined) ?? []);
  const named = typeof flags.metric === "string" ? metricNamed(flags.metric) : undefined;
  if (args.length === 0) {
    if (Object.keys(byHand).length === 0) throw new UsageError("give a report, or values with --raw");
    if (!named) throw new UsageError("values by --raw need --metric");
    return [{ ...named, raw: byHand }];
  }
  const readings = await readReports(
    args,
    {
      for: "score",
      ...(named && { metric: await reportMetric(named.metric, args) }),
      ...(typeof flags.format === "string" && { format: flags.format }),
      ...(flags.assumeScanned === true && { assumeScanned: true }),
      ...(flags.assumeSeverity !== undefined && { assumeSeverity: flags.assumeSeverity as AssumedSeverity }),
    },
    sources,
  );
  const results = readings.flatMap((reading) => {
    const { metric } = reading;
    return metric ? [{ ...(named ?? metricNamed(metric)), raw: reading.metrics[metric] ?? {}, reading }] : [];
  });
  return completed(results, byHand);
}

/**
 * Adds the values of `--raw` to the result of reports. A note names each value that replaces one of a report.
 *
 * @throws UsageError if there are several results, so that it is not clear which one the values belong to
 */
export function completed(results: readonly MetricResult[], byHand: MetricResult["raw"]): MetricResult[] {
  if (results.length > 1 && Object.keys(byHand).length > 0) {
    const metrics = results.map(({ metric }) => metric).join(", ");
    throw new UsageError(`the reports are of several metrics (${metrics}), so --raw needs --metric`);
  }
  return results.map(({ raw, reading, ...name }) => {
    const notes = Object.keys(byHand)
      .filter((field) => Object.hasOwn(raw, field) && raw[field] !== byHand[field])
      .map((field) => `${field} is ${byHand[field]} by --raw, not ${raw[field]} as the report says`);
    return {
      ...name,
      raw: { ...raw, ...byHand },
      ...(reading && { reading: { ...reading, notes: [...reading.notes, ...notes] } }),
    };
  });
}

/**
 * @param paths of the reports, among which may be a value that lacks its `--raw`
 * @throws UsageError if no format of reports has values for this metric
 */
export async function reportMetric(name: string, paths: readonly string[] = []): Promise<ReportMetric> {
  const { formats } = await import("@maturity/reports");
  const fed = new Set<string>(formats.flatMap(({ metrics }) => metrics));
  if (fed.has(name)) return name as ReportMetric;
  const value = paths.find((path) => /^[a-z]\w*=/i.test(path));
  const lacking = value === undefined ? "" : `; ${value} is taken for a file, so give each value a --raw of its own`;
  throw new UsageError(
    `no report feeds ${name}, only --raw does${lacking}${insteadOf(name, [...fed], "reports feed")}`,
  );
}
