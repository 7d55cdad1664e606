import { ReportError, unreadable } from "./errors.ts";
import type { Facts } from "./format.ts";
import { loadOf, noChecks } from "./load.ts";
import { countAt, type Fields, isObject, numberAt } from "./shape.ts";
import { refuseOtherShare } from "./stated.ts";

/**
 * The facts of a k6 run. All kinds of summaries of k6 share this function.
 *
 * @param valuesOf returns the values of a metric by its name, or undefined if the summary has no such metric
 * @param checks the values of the rate of passed checks
 * @throws ReportError if there were no HTTP requests, or a value is missing
 */
export function k6Facts(
  valuesOf: (metric: string) => Fields | undefined,
  checks: Fields | undefined,
  tool: string,
): Facts {
  const failed = valuesOf("http_req_failed");
  const duration = valuesOf("http_req_duration");
  if (!failed && !duration) {
    throw new ReportError(
      "nothing-measured",
      "measured no HTTP requests: it has no metric http_req_failed or http_req_duration",
    );
  }
  if (!failed) throw unreadable("has no metric http_req_failed: k6 has it since 0.31");
  if (!duration) throw unreadable("has no metric http_req_duration");
  if (duration["p(95)"] === undefined) {
    throw unreadable('http_req_duration has no p(95): name "p(95)" in the option summaryTrendStats');
  }
  const { matches, total } = checks ? events(checks, "checks") : { matches: 0, total: 0 };
  const requests = events(failed, "http_req_failed");
  return {
    load: loadOf({
      requests: requests.total,
      error_rate: requests.matches / requests.total,
      p95_ms: numberAt(duration["p(95)"], "p(95) of http_req_duration"),
      ...(total > 0 && { checks_pct: (100 * matches) / total }),
    }),
    tool,
    notes: total === 0 ? [noChecks("the run")] : [],
  };
}

/**
 * How often a rate metric was true (`matches`), and how often it was measured. In k6, `passes` means true, even for a
 * rate of failures.
 *
 * @throws ReportError if the rate itself is another one
 */
function events(rate: Fields, metric: string): { matches: number; total: number } {
  const counted = countsOf(rate, metric);
  const stated = numberAt(rate.rate ?? rate.value, `the rate of ${metric}`);
  refuseOtherShare(stated, counted.matches / counted.total, rounding, `the rate of ${metric}`);
  return counted;
}

/** How far a rate can be from its counts. k6 does not round it. */
const rounding = 0.000_001;

function countsOf(rate: Fields, metric: string): { matches: number; total: number } {
  if ("matches" in rate || "total" in rate) {
    return { matches: countAt(rate.matches, `matches of ${metric}`), total: countAt(rate.total, `total of ${metric}`) };
  }
  const matches = countAt(rate.passes, `passes of ${metric}`);
  return { matches, total: matches + countAt(rate.fails, `fails of ${metric}`) };
}

/** Metrics that k6 measures in every run. */
const ownMetrics = ["iterations", "iteration_duration", "vus", "vus_max", "data_sent", "data_received", "http_reqs"];

/** Distinguishes the two older summaries of k6, also by their beginning. Undefined if this is neither. */
export function k6Summary(record: unknown): "--summary-export" | "handleSummary" | undefined {
  if (!isObject(record)) return undefined;
  const { metrics, root_group, state } = record;
  if (isObject(metrics) && ownMetrics.some((name) => isObject(metrics[name]))) {
    const nested = Object.values(metrics).some((metric) => isObject(metric) && isObject(metric.values));
    return nested ? "handleSummary" : "--summary-export";
  }
  if (!isObject(root_group) || !("path" in root_group)) return undefined;
  return isObject(state) || Array.isArray(root_group.checks) ? "handleSummary" : "--summary-export";
}
