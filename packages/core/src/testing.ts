import { createEngine, type Engine, type Score } from "./engine.ts";
import { MaturityError } from "./errors.ts";
import { generateInputs, generateJunk, type Input } from "./generated-inputs.ts";
import type { AnyMetric, Direction, Scorecard } from "./scorecard.ts";

/** An input with its known result: a score, or a refusal. */
export type GoldenCase = ScoredCase | RefusedCase;

/** An input and the score it must get. */
export interface ScoredCase {
  readonly raw: object;
  /** From 0 to 100, as the engine rounds it: two decimals. */
  readonly score: number;
  /** The fields its reasons must name, in order; not checked when left out. */
  readonly reasons?: readonly string[];
}

/** An input the raw schema must refuse. */
export interface RefusedCase {
  readonly raw: unknown;
  /** The path the refusal must name: `raw.critical`. */
  readonly refused: string;
}

/** For each metric its cases by name: `{ image_scan: { "three high findings": { raw, score: 65.98 } } }`. */
export type GoldenCases<MetricName extends string = string> = Readonly<
  Record<MetricName, Readonly<Record<string, GoldenCase>>>
>;

/** One check, to hand to a test runner: `for (const { name, run } of checkScorecard(…)) test(name, run)`. */
export interface Check {
  readonly name: string;
  /** Returns when all is well, throws an Error that says what is not. */
  run(): void;
}

/**
 * Everything a scorecard must keep to, as a list of checks for any test runner: its contract; and for each metric that
 * the raw schema refuses junk, that scores of generated inputs stay within 0–100 and are the same every time, that a
 * better input never scores lower (for fields with a direction in `better`), and the author's own cases. Of a scorecard
 * that breaks the contract nothing else is checked.
 *
 * The generated inputs mix, vary and widen the values of the cases, so let the cases hold the ends and the knees. Junk
 * is, among others, a scored case without one of its numbers or flags. A field is optional when a scored case leaves it
 * out.
 *
 * @param cases at least one scored case for every metric
 */
export function checkScorecard<MetricName extends string>(
  scorecard: Scorecard<string, MetricName>,
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
    engine = createEngine([scorecard]);
  } catch {
    return [contract];
  }
  return [
    contract,
    ...scorecard.metrics.flatMap((metric) => {
      const score: ScoreOne = (raw) => engine.score(scorecard.name, metric.name, raw);
      return checkMetric(`${scorecard.name}.${metric.name}`, metric, score, cases[metric.name] ?? {});
    }),
  ];
}

type ScoreOne = (raw: unknown) => Score;

function checkMetric(
  name: string,
  metric: AnyMetric,
  score: ScoreOne,
  cases: Readonly<Record<string, GoldenCase>>,
): Check[] {
  const samples = Object.values(cases).flatMap((one): Input[] => ("score" in one ? [{ ...one.raw }] : []));
  const needSamples = () => expect(samples.length > 0, `${name} needs at least one case with a score`);
  const inputs = () => {
    needSamples();
    return generateInputs(samples).filter(accepts);
  };
  const accepts = (raw: Input) => !attempt(raw).refused;
  return [
    {
      name: `${name} refuses junk`,
      run() {
        needSamples();
        for (const junk of generateJunk(samples)) {
          const { refused, text } = attempt(junk);
          expect(refused, `raw ${JSON.stringify(junk)} should be refused, but ${text}`);
        }
      },
    },
    {
      name: `${name} scores within 0–100`,
      run() {
        for (const raw of inputs()) score(raw);
      },
    },
    {
      name: `${name} scores the same input the same`,
      run() {
        for (const raw of inputs()) {
          const [first, second] = [JSON.stringify(score(raw)), JSON.stringify(score({ ...raw }))];
          expect(first === second, `raw ${JSON.stringify(raw)} gave ${first}, then ${second}`);
        }
      },
    },
    {
      name: `${name} never scores a better input lower`,
      run() {
        const fields = Object.entries((metric.better ?? {}) as Readonly<Record<string, Direction>>);
        const all = inputs();
        for (const [field, direction] of fields) {
          const values = [...new Set(all.map((raw) => raw[field]))].filter(hasOrder);
          expect(values.length > 0, `better names ${field}, but no case has a number or a flag there`);
          for (const raw of all.slice(0, 50)) checkDirection(field, direction, raw, values);
        }
      },
    },
    ...Object.entries(cases).map(([label, one]) => ({ name: `${name}: ${label}`, run: () => checkCase(one) })),
  ];

  /** Whether the raw schema refused it, and in words what happened instead. */
  function attempt(raw: unknown): { readonly refused: boolean; readonly text: string } {
    try {
      return { refused: false, text: `it got ${score(raw).score}` };
    } catch (error) {
      return { refused: error instanceof MaturityError && error.code === "invalid-raw", text: String(error) };
    }
  }

  function checkDirection(field: string, direction: Direction, raw: Input, values: readonly unknown[]): void {
    const rising = values
      .map((value) => ({ ...raw, [field]: value }))
      .filter(accepts)
      .sort((a, b) => (Number(a[field]) - Number(b[field])) * (direction === "lower" ? -1 : 1));
    let worse: { raw: Input; score: number } | undefined;
    for (const variant of rising) {
      const better = { raw: variant, score: score(variant).score };
      expect(
        !worse || better.score >= worse.score,
        `${field} is better ${direction}, but ${JSON.stringify(worse?.raw)} scores ${worse?.score} and ${JSON.stringify(better.raw)} ${better.score}`,
      );
      worse = better;
    }
  }

  function checkCase(one: GoldenCase): void {
    if ("score" in one) {
      const got = score({ ...one.raw });
      expect(got.score === one.score, `expected ${one.score}, got ${got.score}: ${JSON.stringify(got.reasons)}`);
      const fields = got.reasons.map(({ field }) => field).join(", ");
      const expected = one.reasons?.join(", ") ?? fields;
      expect(fields === expected, `expected reasons ${expected}, got ${fields}`);
      return;
    }
    try {
      score(one.raw);
    } catch (error) {
      const paths = error instanceof MaturityError ? error.details.map(({ path }) => path) : [];
      expect(paths.includes(one.refused), `expected a fault at ${one.refused}, got ${String(error)}`);
      return;
    }
    expect(false, `expected a fault at ${one.refused}, but it got a score`);
  }
}

function hasOrder(value: unknown): value is number | boolean {
  return typeof value === "number" || typeof value === "boolean";
}

function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
