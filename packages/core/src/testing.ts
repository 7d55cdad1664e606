import { createEngine, type Score } from "./engine.ts";
import { MaturityError } from "./errors.ts";
import type { Direction, Metric, Scorecard } from "./scorecard.ts";

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
export type GoldenCases = Readonly<Record<string, Readonly<Record<string, GoldenCase>>>>;

/** One check, to hand to a test runner: `for (const { name, run } of checkScorecard(…)) test(name, run)`. */
export interface Check {
  readonly name: string;
  /** Returns when all is well, throws an Error that says what is not. */
  run(): void;
}

/**
 * Everything a scorecard must keep to, as a list of checks for any test runner: its contract; and for each metric that
 * the raw schema refuses junk, that scores of generated inputs stay within 0–100 and are the same every time, that a
 * better input never scores lower (for fields with a direction in `better`), and the author's own cases.
 *
 * The generated inputs mix, vary and widen the values of the cases, so let the cases hold the ends and the knees.
 *
 * @param cases at least one scored case for every metric
 */
export function checkScorecard(scorecard: Scorecard, cases: GoldenCases): Check[] {
  const contract: Check = {
    name: `${scorecard.name} keeps the contract`,
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
  return [contract, ...scorecard.metrics.flatMap((metric) => checkMetric(scorecard, metric, cases[metric.name] ?? {}))];
}

function checkMetric(scorecard: Scorecard, metric: Metric, cases: Readonly<Record<string, GoldenCase>>): Check[] {
  const name = `${scorecard.name}.${metric.name}`;
  const score = (raw: unknown): Score => createEngine([scorecard]).score(scorecard.name, metric.name, raw);
  const scored = Object.values(cases).filter((one): one is ScoredCase => "score" in one);
  const inputs = () => {
    expect(scored.length > 0, `${name} needs at least one case with a score`);
    return generateInputs(scored.map(({ raw }) => raw)).filter((raw) => accepts(metric, raw));
  };
  return [
    {
      name: `${name} refuses junk`,
      run() {
        expect(scored.length > 0, `${name} needs at least one case with a score`);
        for (const junk of [null, [], "80", 80, true, {}, ...scored.flatMap(({ raw }) => spoil(raw))]) {
          const code = attempt(() => score(junk));
          expect(
            code === "invalid-raw",
            `raw ${JSON.stringify(junk)} should be refused, but ${code ?? "it got a score"}`,
          );
        }
      },
    },
    {
      name: `${name} scores within 0–100`,
      run: () => inputs().forEach(score),
    },
    {
      name: `${name} scores the same input the same`,
      run() {
        for (const raw of inputs()) {
          const [first, second] = [JSON.stringify(score(raw)), JSON.stringify(score(structuredClone(raw)))];
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
          expect(
            all.some((raw) => field in raw),
            `better names ${field}, which no case has`,
          );
          const values = [...new Set(all.map((raw) => raw[field]))].filter((value) => typeof value !== "object");
          for (const raw of all.slice(0, 50)) checkDirection(field, direction, raw, values);
        }
      },
    },
    ...Object.entries(cases).map(([label, one]) => ({ name: `${name}: ${label}`, run: () => checkCase(one) })),
  ];

  function checkDirection(field: string, direction: Direction, raw: Input, values: readonly unknown[]): void {
    const rising = values
      .map((value) => ({ ...raw, [field]: value }))
      .filter((variant) => accepts(metric, variant))
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
      const got = score(one.raw);
      expect(got.score === one.score, `expected ${one.score}, got ${got.score}: ${JSON.stringify(got.reasons)}`);
      const fields = got.reasons.map(({ field }) => field).join(", ");
      expect(!one.reasons || one.reasons.join(", ") === fields, `expected reasons ${one.reasons}, got ${fields}`);
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

type Input = Record<string, unknown>;

function accepts(metric: Metric, raw: unknown): boolean {
  const result = metric.raw["~standard"].validate(raw);
  return !(result instanceof Promise) && !result.issues;
}

/** The code of the MaturityError it throws, or undefined when it returns. */
function attempt(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof MaturityError ? error.code : String(error);
  }
  return undefined;
}

/** The input with each field in turn left out, and each number and flag in turn as text, as null and as an object. */
function spoil(raw: object): Input[] {
  return Object.entries(raw).flatMap(([field, value]) => {
    const { [field]: _, ...rest } = raw as Input;
    const isPlain = typeof value === "number" || typeof value === "boolean";
    return isPlain ? [rest, ...[String(value), null, {}].map((junk) => ({ ...raw, [field]: junk }))] : [];
  });
}

/** Inputs that mix, vary and widen the values of the samples; the same ones at every call. */
function generateInputs(samples: readonly object[]): Input[] {
  const fields = new Map<string, unknown[]>();
  for (const sample of samples) {
    for (const [field, value] of Object.entries(sample)) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  const pools = [...fields].map(([field, values]) => [field, widen(values)] as const);
  const random = sequence();
  const inputs: Input[] = samples.map((sample) => ({ ...sample }));
  for (let i = 0; i < 500; i++) {
    inputs.push(
      Object.fromEntries(pools.map(([field, values]) => [field, values[Math.floor(random() * values.length)]])),
    );
  }
  return inputs;
}

function widen(values: readonly unknown[]): unknown[] {
  if (values.every((value) => typeof value === "boolean")) return [true, false];
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length !== values.length) return [...values];
  const ladder = [0, 0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 50, 100, 1000, 10_000, 1_000_000, 1_000_000_000];
  const sorted = [...new Set([...numbers, ...ladder])].sort((a, b) => a - b);
  const between = sorted.slice(1).flatMap((value, index) => {
    const middle = (value + (sorted[index] ?? value)) / 2;
    return [middle, Math.round(middle)];
  });
  return [
    ...sorted,
    ...between,
    ...numbers.flatMap((value) => [value - 1, value + 1, value * (1 - 1e-9), value * (1 + 1e-9)]),
  ];
}

/** Numbers in [0, 1), the same ones at every call (a linear congruential generator, constants of Numerical Recipes). */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
