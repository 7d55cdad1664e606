import { ReportError, unreadable } from "./errors.ts";
import type { Load } from "./format.ts";

/** What a load test measured. */
export interface Measured extends Pick<Load, "checks_pct"> {
  /** Number of requests. */
  readonly requests: number;
  /** Share of them that failed, 0–1. */
  readonly error_rate: number;
  /** 95th percentile of the response time in milliseconds. Undefined if the report has none. */
  readonly p95_ms: number | undefined;
}

/**
 * The figures of a load test. If the tool has no checks, the share of requests that passed is used for them.
 *
 * @throws ReportError if there was no request, or if there is no 95th percentile
 */
export function loadOf({ requests, error_rate, p95_ms, checks_pct = 100 * (1 - error_rate) }: Measured): Load {
  if (requests === 0) throw new ReportError("nothing-measured", "measured nothing: it has no requests");
  if (p95_ms === undefined) throw unreadable("has no 95th percentile of the response time: no request was answered");
  return { error_rate, p95_ms, checks_pct };
}

/** The note for reports of a tool without checks. */
export function noChecks(tool: string): string {
  return `checks_pct is the share of requests that passed: ${tool} has no checks`;
}
