import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { metricText } from "@maturity/report-files/metric-name";
import { counted, type MetricPlan } from "./plan.ts";

/** Prints a line for each metric. */
export function showPlan(plan: readonly MetricPlan[], output: Output): void {
  for (const one of plan) {
    const { results, applications, days, first, last } = one;
    const counts = `${counted(results, "result")} of ${counted(applications, "application")} on ${counted(days, "day")}`;
    output.line(`${output.colors.bold(printable(metricText(one)))} ${counts}, ${first} to ${last}`);
  }
}
