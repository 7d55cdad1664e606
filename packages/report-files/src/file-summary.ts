import type { Verdict } from "./verdict.ts";

/** What `--json` shows of a file. */
export interface FileSummary {
  readonly file: string;
  readonly state: "taken" | "passed over" | "failed";
  readonly format?: string;
  readonly tool?: string;
  /** When the tool ran, if the report states it. */
  readonly measured_at?: string;
  readonly metrics?: readonly string[];
  readonly problems?: readonly string[];
  readonly code?: string;
  readonly reason?: string;
}

/** What `--json` shows of a file. */
export function summaryOfFile({ file, format, uses, refusal }: Verdict): FileSummary {
  const metrics = uses.flatMap(({ about }) => ("metric" in about ? about.metric.metric : []));
  const problems = uses.flatMap(({ about }) => ("problem" in about ? about.problem.type : []));
  const { tool, measuredAt } = uses[0]?.reading ?? {};
  return {
    file,
    state: refusal?.state ?? "taken",
    ...(format && { format }),
    ...(tool && { tool }),
    ...(measuredAt && { measured_at: measuredAt }),
    ...(metrics.length > 0 && { metrics }),
    ...(problems.length > 0 && { problems }),
    ...(refusal && { code: refusal.code, reason: refusal.reason }),
  };
}
