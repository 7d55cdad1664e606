import fc from "fast-check";
import { expect } from "./check-failure.ts";
import type { Score } from "./engine.ts";
import type { MaturityError } from "./errors.ts";

import { generateJunk, type Input, inputsLike } from "./generated-inputs.ts";
import type { GoldenCase, MetricCases } from "./golden-cases.ts";
import type { AnyMetric, Input as DeclaredInput, Direction, Reason } from "./scorecard.ts";

/** One check, to hand to a test runner: `for (const { name, run } of checkScorecard(…)) test(name, run)`. */
export interface Check {
  readonly name: string;
  /** Returns when all is well, throws an Error that says what is not. */
  run(): void;
}

/** Scores an input of one metric, as an engine does. */
export type ScoreOne = (raw: unknown) => Score;

/** The checks of one metric. */
export function checkMetric(name: string, metric: AnyMetric, score: ScoreOne, cases: MetricCases): Check[] {
  const samples = Object.values(cases).flatMap((one): Input[] => ("score" in one ? [{ ...one.raw }] : []));
  const needSamples = () => expect(samples.length > 0, `${name} needs at least one case with a score`);
  const declared = Object.entries((metric.inputs ?? {}) as Readonly<Record<string, DeclaredInput>>);
  const accepts = (raw: Input) => !attempt({ ...raw }).refused;
  return [
    {
      name: `${name} refuses junk`,
      run() {
        needSamples();
        for (const junk of generateJunk(samples)) {
          const { refused, text } = attempt(junk);
          expect(refused, `raw ${JSON.stringify(junk)} should be refused, but ${text}`, {
            expected: "a refusal",
            actual: text,
          });
        }
      },
    },
    {
      name: `${name} lets fields pass that it does not know`,
      run() {
        eachInput((raw) => {
          const [expected, actual] = [attempt(raw).text, attempt({ [unknownField]: 1, ...raw }).text];
          expect(actual === expected, `raw ${JSON.stringify(raw)} with another field: ${actual}`, { expected, actual });
        });
      },
    },
    {
      name: `${name} takes what its inputs declare`,
      run() {
        needSamples();
        for (const [field, input] of declared) checkRange(field, input);
      },
    },
    {
      name: `${name} scores within 0–100`,
      run() {
        eachInput(score);
      },
    },
    {
      name: `${name} scores the same input the same`,
      run() {
        eachInput((raw) => {
          const before = JSON.stringify(raw);
          const [expected, actual] = [score(raw), score(JSON.parse(before))];
          const [first, second, after] = [expected, actual, raw].map((value) => JSON.stringify(value));
          expect(first === second, `raw ${before} gave ${first}, then ${second}`, { expected, actual });
          expect(after === before, `raw ${before} was changed to ${after}`, {
            expected: JSON.parse(before),
            actual: raw,
          });
        });
      },
    },
    {
      name: `${name} gives reasons that name its inputs`,
      run() {
        const fields = new Set(samples.flatMap((sample) => Object.keys(sample)));
        eachInput((raw) => {
          for (const reason of score(raw).reasons) checkReason(raw, fields, reason);
        });
      },
    },
    {
      name: `${name} never scores a better input lower`,
      run() {
        needSamples();
        for (const [field, { better: direction }] of declared) {
          if (!direction) continue;
          const some = samples.some((sample) => hasOrder(sample[field]));
          expect(some, `${field} has a better direction, but no case has a number or a flag there`);
          eachGroup(([raw = {}, ...others]) => checkDirection(field, direction, raw, others));
        }
        eachGroup((group) => {
          for (const [index, raw] of group.entries()) {
            const before = group[index - 1] ?? raw;
            checkBest(raw, before);
            checkBest(before, raw);
          }
        });
      },
    },
    ...Object.entries(cases).map(([label, one]) => ({ name: `${name}: ${label}`, run: () => checkCase(one) })),
  ];

  /** Whether the raw schema refused it, and in words what happened instead. */
  function attempt(raw: unknown): { readonly refused: boolean; readonly text: string } {
    try {
      return { refused: false, text: `it got ${score(raw).score}` };
    } catch (error) {
      return { refused: (error as MaturityError).code === "invalid-raw", text: String(error) };
    }
  }

  /** The bounds are taken, and what lies beyond them is not. */
  function checkRange(field: string, { min, max, type }: DeclaredInput): void {
    const takes = (value: unknown) => samples.some((sample) => accepts({ ...sample, [field]: value }));
    for (const bound of [min, max]) {
      if (bound !== undefined) expect(takes(bound), `${field} should take ${bound}, which its range includes`);
    }
    const half = 0.5 + (min ?? 0);
    const refused = [
      ...(min === undefined ? [] : [min - 1]),
      ...(max === undefined ? [] : [max + 1]),
      ...(type === "integer" && !Number.isInteger(half) ? [half] : []),
    ].filter((value) => value !== min && value !== max); // from 2^53 on, max + 1 may be max
    for (const value of refused) expect(!takes(value), `${field} should refuse ${value}, by its range and type`);
  }

  /** Tries the inputs that are accepted, the same ones each time, and then simpler ones than the first that fails. */
  function eachInput(check: (raw: Input) => unknown): void {
    needSamples();
    const all = fc.property(inputsLike(samples), (raw) => void (accepts(raw) && check(raw)));
    report(fc.check(all, { ...runs, examples: samples.map((sample) => [{ ...sample }]) }));
  }

  /** The same of several inputs at a time. */
  function eachGroup(check: (group: readonly Input[]) => void): void {
    const all = fc.property(fc.array(inputsLike(samples), { minLength: 2, maxLength: 20 }), (group) =>
      check(group.filter(accepts)),
    );
    report(fc.check(all, { ...runs, examples: [[samples.map((sample) => ({ ...sample }))]] }));
  }

  /** The input with the values that others have in a field. */
  function checkDirection(field: string, direction: Direction, raw: Input, others: readonly Input[]): void {
    const rising = [raw, ...others.map(({ [field]: value }) => ({ ...raw, [field]: value }))]
      .filter((variant) => hasOrder(variant[field]) && accepts(variant))
      .sort((a, b) => (Number(a[field]) - Number(b[field])) * (direction === "lower" ? -1 : 1))
      .map(scored);
    for (const [index, better] of rising.entries()) {
      expectBetter(`${field} is better ${direction}`, rising[index - 1] ?? better, better);
    }
  }

  /** Better in all its fields at once. */
  function checkBest(one: Input, other: Input): void {
    const better = (field: string) => (one: unknown, other: unknown) =>
      hasOrder(one) && hasOrder(other) && metric.inputs?.[field]?.better === (other < one ? "lower" : "higher")
        ? other
        : one;
    const raw = Object.fromEntries(
      Object.entries(one).map(([field, value]) => [field, better(field)(value, other[field] ?? value)]),
    );
    if (!accepts(raw)) return;
    expectBetter("each field is as good or better", scored(one), scored(raw));
  }

  function scored(raw: Input): Scored {
    return { raw, score: score(raw).score };
  }

  function checkCase(one: GoldenCase): void {
    if ("score" in one) {
      const got = score({ ...one.raw });
      const message = `expected ${one.score}, got ${got.score}: ${JSON.stringify(got.reasons)}`;
      expect(got.score === one.score, message, { expected: one.score, actual: got.score });
      const actual = got.reasons.map(({ field }) => field);
      const expected = one.reasons ?? actual;
      const isSame = actual.join() === expected.join();
      expect(isSame, `expected reasons ${expected.join(", ")}, got ${actual.join(", ")}`, { expected, actual });
      return;
    }
    try {
      score(one.raw);
    } catch (error) {
      const actual = (error as MaturityError).details.map(({ path }) => path);
      const message = `expected a fault at ${one.refused}, got ${String(error)}`;
      expect(actual.includes(one.refused), message, { expected: [one.refused], actual });
      return;
    }
    expect(false, `expected a fault at ${one.refused}, but it got a score`, { expected: [one.refused], actual: [] });
  }
}

interface Scored {
  readonly raw: Input;
  readonly score: number;
}

/** The same inputs at every call, so that a check fails each time or never. */
const runs = { seed: 1, numRuns: 500 };

/** @throws what the simplest input failed with */
function report({ errorInstance }: { readonly errorInstance: unknown }): void {
  if (errorInstance) throw errorInstance;
}

/** One that no scanner adds. */
const unknownField = "a field that no metric knows";

function expectBetter(claim: string, worse: Scored, better: Scored): void {
  const [one, other] = [worse, better].map(({ raw, score }) => `${JSON.stringify(raw)} scores ${score}`);
  expect(better.score >= worse.score, `${claim}, but ${one} and ${other}`, {
    expected: `at least ${worse.score}`,
    actual: better.score,
  });
}

function checkReason(raw: Input, fields: ReadonlySet<string>, { field, value, text }: Reason): void {
  const [input = ""] = field.split(/[.[]/);
  const known = [...fields];
  expect(fields.has(input), `a reason names ${field}, which is no field of any case`, {
    expected: known,
    actual: field,
  });
  const sent = raw[field];
  // The reason may write a flag that was sent as 0 or 1 as true or false.
  const isAsSent = !hasOrder(sent) || !hasOrder(value) || Number(value) === Number(sent);
  expect(isAsSent, `a reason says ${field} ${value}, which was ${sent}`, { expected: sent, actual: value });
  expect(/^\S(.*[^\s.])?$/.test(text), `the reason "${text}" must be one sentence without the final full stop`, {
    expected: text.trim().replace(/\.+$/, ""),
    actual: text,
  });
}

function hasOrder(value: unknown): value is number | boolean {
  return typeof value === "number" || typeof value === "boolean";
}
