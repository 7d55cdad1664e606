import type { Target } from "@maturity/core";
import type { Asked } from "@maturity/report-files/asked";
import { unmatched } from "@maturity/report-files/conclude";
import { readFiles } from "@maturity/report-files/gather";
import type { Sources } from "@maturity/report-files/report-files";
import type { Verdict } from "@maturity/report-files/verdict";
import type { PastResult, PastResults } from "./past-result.ts";

/** What a directory of reports holds, and what becomes of each of its files. */
export interface PastReports extends PastResults {
  readonly verdicts: readonly Verdict[];
}

/**
 * Reads the reports of a directory. Each report is a result of its own, at the time that it states; nothing is merged.
 *
 * @param onProgress called with each file before it is read
 * @throws UsageError
 */
export async function readPastReports(
  directory: string,
  target: Target,
  asked: Asked,
  sources: Sources,
  onProgress: (text: string) => void,
): Promise<PastReports> {
  const { verdicts } = await readFiles([directory], asked, sources, onProgress);
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
  return { verdicts, results, faults, notes };
}
