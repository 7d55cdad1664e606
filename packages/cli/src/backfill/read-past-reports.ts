import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import type { Target } from "@maturity/core";
import { askedOf } from "@maturity/report-files/asked";
import { unmatched } from "@maturity/report-files/conclude";
import { readFiles } from "@maturity/report-files/gather";
import type { Context } from "../context.ts";
import { showFiles } from "../folder/show-files.ts";
import type { PastResult, PastResults } from "./past-result.ts";

/**
 * Reads the reports of a directory, and prints what becomes of each file. Each report is a result of its own, at the time
 * that it states; nothing is merged.
 *
 * @throws UsageError
 */
export async function readPastReports(
  directory: string,
  target: Target,
  flags: Flags,
  context: Context,
  output: Output,
): Promise<PastResults> {
  const asked = await askedOf(flags);
  const { verdicts } = await readFiles([directory], asked, context, output.progress);
  output.done();
  showFiles(verdicts, output);
  const results: PastResult[] = [];
  const faults = [...unmatched(asked, verdicts)];
  const notes: string[] = [];
  for (const { file, uses, refusal } of verdicts) {
    if (refusal?.state === "failed") faults.push({ path: file, message: refusal.reason });
    for (const { about, reading } of uses) {
      if (!("metric" in about)) continue;
      const { metric } = about;
      const { measuredAt: measured_at } = reading;
      notes.push(...reading.warnings.map((warning) => `${file}: ${warning}`));
      if (measured_at === undefined) {
        const message = "does not state when its tool ran; maturity submit --measured-at sends it with its time";
        faults.push({ path: file, message });
      } else {
        const raw = reading.metrics[metric.metric] ?? {};
        results.push({ place: file, submission: { ...target, ...metric, raw, measured_at } });
      }
    }
  }
  return { results, faults, notes };
}
