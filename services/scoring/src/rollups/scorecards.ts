import type { Engine, ScorecardScore } from "@maturity/core";

/** The scorecards of an application, a team or an area. */
export interface OwnScorecards {
  /** Those with a score, in the order of the engine. */
  readonly scorecards: readonly ScorecardScore[];
  /** The waived share of those without a score of which something is waived. */
  readonly waivedUnscored: ReadonlyMap<string, number>;
}

/**
 * Makes a function that averages the scorecards of applications or of teams, in the order of the engine. The score of a
 * scorecard is the average over the parts that have it. Its coverages are the averages over the parts of which it is not
 * waived whole: one that reports nothing of it covers nothing. What is waived is the average over all parts. So where
 * nothing is waived, the coverage of the whole is the weighted mean of those of its scorecards, as that of an application
 * is.
 */
export function createScorecardAverage({
  scorecards,
}: Pick<Engine, "scorecards">): (parts: readonly OwnScorecards[]) => OwnScorecards {
  return (parts) => {
    const scored: ScorecardScore[] = [];
    const waivedUnscored = new Map<string, number>();
    for (const { name: scorecard } of scorecards) {
      let [count, counting, score, coverage, freshCoverage, allWaived] = [0, 0, 0, 0, 0, 0];
      for (const part of parts) {
        const one = part.scorecards.find((other) => other.scorecard === scorecard);
        const waived = one?.waived ?? part.waivedUnscored.get(scorecard) ?? 0;
        allWaived += waived;
        if (waived < 1) counting++;
        if (!one) continue;
        count++;
        score += one.score;
        coverage += one.coverage;
        freshCoverage += one.freshCoverage;
      }
      const waived = allWaived / parts.length;
      if (count > 0) {
        scored.push({
          ...{ scorecard, score: score / count, waived },
          ...{ coverage: coverage / counting, freshCoverage: freshCoverage / counting },
        });
      } else if (waived > 0) waivedUnscored.set(scorecard, waived);
    }
    return { scorecards: scored, waivedUnscored };
  };
}
