import type { Judgement } from "@maturity/gate/judge";
import { appText, judgedLines } from "@maturity/gate/words";
import type { Summary, SummaryScore } from "./summary.ts";

/**
 * What the summary of a run shows of a gate.
 *
 * @param faults of reports that could not be read
 */
export function gateSummary(
  { conditions, scores, verdicts, isMet, app }: Judgement,
  faults: readonly object[],
): Pick<Summary, "title" | "verdicts" | "app"> & { readonly scores: readonly SummaryScore[] } {
  return {
    title: faults.length > 0 ? "not all reports could be read" : isMet ? "gate met" : "gate not met",
    scores: scores.map((score) => ({
      ...score,
      former: score.comparison?.rescored ?? score.comparison?.stored,
      notes: judgedLines(score, conditions).map((line) => line.trim()),
    })),
    verdicts,
    ...(app && { app: appText(app) }),
  };
}
