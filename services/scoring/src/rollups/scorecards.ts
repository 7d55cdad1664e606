import { type Engine, type Rolled, rollUpTeams, type ScorecardScore } from "@maturity/core";

/** The scorecards of an application, a team or an area. */
export interface ScorecardScores {
  /** The scorecards with a score, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
  /** The waived shares of scorecards without a score that are waived in part. */
  readonly waivedUnscored: ReadonlyMap<string, number>;
}

/**
 * Averages the scorecards of applications or teams, in the order of the engine.
 *
 * - `score`: over the parts that have a score for the scorecard.
 * - `reported` and `fresh`: over the parts that do not waive it fully; a part without results counts as 0.
 * - `waived`: over all parts.
 */
export function averageScorecards(
  { scorecards }: Pick<Engine, "scorecards">,
  parts: readonly ScorecardScores[],
): ScorecardScores {
  const scored: ScorecardScore[] = [];
  const waivedUnscored = new Map<string, number>();
  for (const { name: scorecard } of scorecards) {
    const all = parts.map((part) => {
      const found = part.scorecards.find((one) => one.scorecard === scorecard);
      return found ?? { ...noResults, waived: part.waivedUnscored.get(scorecard) ?? 0 };
    });
    const { waived = 0, exempt = 0 } = average(all) ?? {};
    const score = average(all.filter((one) => "scorecard" in one))?.score;
    const notFullyWaived = average(all.filter((one) => one.waived < 1));
    const { reported = 0, fresh = 0 } = notFullyWaived ?? {};
    if (score !== undefined) scored.push({ scorecard, score, reported, fresh, waived, exempt });
    else if (waived > 0) waivedUnscored.set(scorecard, waived);
  }
  return { scorecards: scored, waivedUnscored };
}

const noResults = { score: 0, reported: 0, fresh: 0, exempt: 0 };

/** The average of core; undefined if there are no parts. */
function average(parts: readonly Rolled[]): Rolled | undefined {
  return rollUpTeams(parts.map((part) => ({ ...part, area: "", team: "", env: "" })))[0];
}
