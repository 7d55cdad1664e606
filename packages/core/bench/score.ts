import { cpus } from "node:os";
import {
  createEngine,
  defineMetric,
  defineScorecard,
  type Engine,
  halving,
  type Input,
  logPiecewise,
  lowestOf,
  minutesAsTime,
  passFail,
  piecewise,
} from "@maturity/core";

/** How many scores a second one process computes: validation, curve and reasons of every kind of metric in turn. */

const scoresPerRun = 1_000_000;
const runs = 5;

const count: Input = { max: 1_000_000_000 };
const percentage: Input = { unit: "%", min: 0, max: 100 };

interface Counts {
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
}

interface Load {
  readonly error_rate: number;
  readonly p95_ms: number;
  readonly checks_pct: number;
}

const everyKind = defineScorecard({
  name: "every_kind",
  dimension: "run",
  weight: 1,
  package: { name: "bench", version: "0.0.0" },
  metrics: [
    defineMetric<Counts>({
      name: "halving",
      title: "Counted findings",
      weight: 1,
      inputs: { critical: count, high: count, medium: count },
      score: halving({ critical: 1, high: 5, medium: 40 }),
    }),
    defineMetric<{ readonly minutes: number }>({
      name: "log_piecewise",
      title: "A duration",
      weight: 1,
      inputs: { minutes: { label: "the time to recover", unit: minutesAsTime, min: 0, max: 5_256_000 } },
      score: logPiecewise("minutes", [
        [60, 100],
        [1_440, 80],
        [10_080, 60],
        [43_200, 40],
        [259_200, 0],
      ]),
    }),
    defineMetric<Load>({
      name: "lowest_of",
      title: "Several inputs of which the lowest counts",
      weight: 1,
      inputs: {
        error_rate: { min: 0, max: 1 },
        p95_ms: { unit: "ms", min: 0, max: 86_400_000 },
        checks_pct: percentage,
      },
      score: lowestOf(
        piecewise("error_rate", [
          [0.01, 100],
          [0.1, 0],
        ]),
        piecewise("p95_ms", [
          [500, 100],
          [2_000, 0],
        ]),
        piecewise("checks_pct", [
          [50, 0],
          [90, 50],
          [100, 100],
        ]),
      ),
    }),
    defineMetric<{ readonly enabled: boolean }>({
      name: "flag",
      title: "A flag",
      weight: 1,
      score: passFail("enabled", { passes: true, pass: "it is enabled", fail: "it is not enabled" }),
    }),
  ],
});

/** Ten thousand different results, a quarter of each kind; the same ones at every start. */
function results(): { readonly metric: string; readonly raw: object }[] {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: 2_500 }, () => [
    { metric: "halving", raw: { critical: below(3), high: below(20), medium: below(2_000), scanner: "any" } },
    { metric: "log_piecewise", raw: { minutes: Math.exp(random() * 14) } },
    {
      metric: "lowest_of",
      raw: { error_rate: random() / 8, p95_ms: below(3_000), checks_pct: Math.round(random() * 1_000) / 10 },
    },
    { metric: "flag", raw: { enabled: random() < 0.5 } },
  ]).flat();
}

function run(): number {
  const start = performance.now();
  for (let done = 0; done < scoresPerRun; done += inputs.length) {
    for (const { metric, raw } of inputs) engine.score("every_kind", metric, raw);
  }
  return scoresPerRun / ((performance.now() - start) / 1_000);
}

const engine: Engine = createEngine([everyKind]);
const inputs = results();
const rates = Array.from({ length: runs }, run).sort((a, b) => a - b);
const median = rates[Math.floor(runs / 2)] ?? Number.NaN;
const shown = (rate: number | undefined) => Math.round(rate ?? Number.NaN).toLocaleString("en-US");

console.log(`${shown(median)} scores per second`);
console.log(`median of ${runs} runs of ${shown(scoresPerRun)}; from ${shown(rates[0])} to ${shown(rates.at(-1))}`);
console.log(`Node ${process.version}, one thread of ${cpus()[0]?.model}`);
