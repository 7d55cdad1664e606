import { expect } from "./check-failure.ts";
import { type Check, checkMetric, type ScoreOne } from "./check-metric.ts";
import { compose, createEngine, type Engine } from "./engine.ts";
import type { GoldenCases } from "./golden-cases.ts";
import type { AnyMetric, Scorecard } from "./scorecard.ts";

/**
 * Everything a scorecard must keep to, as a list of checks for any test runner: its contract; and for each metric that
 * the raw schema refuses junk and lets fields pass that it does not know, that scores of generated inputs stay within
 * 0–100, are the same every time and leave the input as it was, that reasons name inputs, that a better input never
 * scores lower (for fields with a direction in `better`), and the author's own cases. Of a scorecard that breaks the
 * contract nothing else is checked. A failure carries `expected` and `actual`, so that test runners show the difference.
 *
 * fast-check, which has to be installed, makes 500 inputs that mix, vary and widen the values of the cases, the same ones
 * each time, so let the cases hold the ends and the knees. It reports a simple one of those that fail. Junk
 * is, for example, a scored case without a number or a flag. A field is optional when a scored case leaves it
 * out.
 *
 * @param cases at least one scored case for every metric
 */
export function checkScorecard<MetricName extends string>(
  scorecard: Scorecard<string, AnyMetric<MetricName>>,
  cases: GoldenCases<NoInfer<MetricName>>,
): Check[] {
  const contract: Check = {
    name: `${scorecard?.name} keeps the contract`,
    run() {
      createEngine([scorecard]);
      for (const name of Object.keys(cases)) {
        expect(
          scorecard.metrics.some((metric) => metric.name === name),
          `there are cases for ${name}, but no such metric`,
        );
      }
    },
  };
  let engine: Engine;
  try {
    engine = compose([scorecard], (raw) => raw); // a copy would hide that a scorer changes its input
  } catch {
    return [contract];
  }
  return [
    contract,
    ...scorecard.metrics.flatMap((metric) => {
      const name: string = metric.name;
      const score: ScoreOne = (raw) => engine.score(scorecard.name, name, raw);
      const own = Object.hasOwn(cases, metric.name) ? cases[metric.name] : {};
      return checkMetric(`${scorecard.name}.${metric.name}`, metric, score, own);
    }),
  ];
}
