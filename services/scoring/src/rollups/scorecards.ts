import type { Engine, ScorecardScore } from "@maturity/core";

/**
 * Makes a function that averages the scorecards of applications or of teams, in the order of the engine. The score of a
 * scorecard is the average over the parts that have it. Its coverages are the averages over all parts: one that reports
 * nothing of it covers nothing. So the coverage of the whole is the weighted mean of those of its scorecards, as that of
 * an application is.
 */
export function createScorecardAverage({
  scorecards,
}: Pick<Engine, "scorecards">): (
  parts: readonly { readonly scorecards: readonly ScorecardScore[] }[],
) => ScorecardScore[] {
  return (parts) =>
    scorecards.flatMap(({ name: scorecard }) => {
      let [count, score, coverage, freshCoverage, waived] = [0, 0, 0, 0, 0];
      for (const part of parts) {
        const one = part.scorecards.find((other) => other.scorecard === scorecard);
        if (!one) continue;
        count++;
        score += one.score;
        coverage += one.coverage;
        freshCoverage += one.freshCoverage;
        waived += one.waived;
      }
      if (count === 0) return [];
      const all = parts.length;
      return [
        {
          ...{ scorecard, score: score / count },
          ...{ coverage: coverage / all, freshCoverage: freshCoverage / all, waived: waived / all },
        },
      ];
    });
}
