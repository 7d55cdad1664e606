import Joi from "joi";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { cost } from "../examples/cost.ts";
import {
  type AnyMetric,
  createEngine,
  defineMetric,
  defineScorecard,
  type Engine,
  findGain,
  halving,
  lowestOf,
  type Metric,
  passFail,
  piecewise,
  type RawSchema,
  rollUpApp,
  type Scorecard,
  type ScoreFunction,
} from "./index.ts";
import { checkScorecard } from "./testing.ts";

/** What the compiler must refuse; `tsc` fails where it does not. */

const about = { name: "budget", title: "Budget", weight: 1 } as const;
const spent = piecewise("spent", [
  [0, 100],
  [1, 0],
]);

describe("a metric's function takes whatever its validator lets pass", () => {
  test("an optional field is not taken for a required one, with zod", () => {
    const raw = z.object({ spent: z.number().optional() });
    // @ts-expect-error: spent may be missing
    defineMetric({ ...about, raw, score: spent });
    // @ts-expect-error: the same, with the type said
    defineMetric<{ spent?: number }>({ ...about, raw, score: spent });
    // @ts-expect-error: the same, in a metric written by hand
    const byHand: Metric<{ spent?: number }> = { ...about, raw, score: spent };
    const complete = defineMetric({ ...about, raw, score: (value) => spent({ spent: value.spent ?? 0 }) });
    expect([byHand, complete]).toHaveLength(2);
  });

  test("an optional field is not taken for a required one, with joi", () => {
    const raw = Joi.object<{ spent?: number }>({ spent: Joi.number() });
    // @ts-expect-error: spent may be missing
    defineMetric({ ...about, raw, score: spent });
  });

  test("a field is not taken for one of another type, and must be there", () => {
    // @ts-expect-error: a text
    defineMetric({ ...about, raw: z.object({ spent: z.string() }), score: spent });
    // @ts-expect-error: null
    defineMetric({ ...about, raw: z.object({ spent: z.number().nullable() }), score: spent });
    // @ts-expect-error: mistyped
    defineMetric({ ...about, raw: z.object({ spend: z.number() }), score: spent });
    const flag = passFail("spent", { passes: true, pass: "", fail: "" });
    // @ts-expect-error: a number
    defineMetric({ ...about, raw: z.object({ spent: z.number() }), score: flag });
    // @ts-expect-error: a function by hand that wants more than there is
    defineMetric({ ...about, raw: z.object({}), score: (raw: { spent: number }) => spent(raw) });
  });

  test("only fields that there are have a direction", () => {
    const raw = z.object({ spent: z.number() });
    // @ts-expect-error: mistyped
    defineMetric({ ...about, raw, score: spent, inputs: { spend: {} } });
  });

  test("it may take less than there is, and a value that a validator fills in", () => {
    const raw = z.looseObject({ spent: z.number().default(0), note: z.string().optional() });
    const metric = defineMetric({ ...about, raw, score: spent, inputs: { spent: { better: "lower" } } });
    expectTypeOf(metric.name).toEqualTypeOf<"budget">();
    expectTypeOf(metric).toExtend<AnyMetric<"budget">>();
  });

  test("a metric of one input is not handed out as one of another", () => {
    const metric = defineMetric({ ...about, raw: z.object({ spent: z.number() }), score: spent });
    // @ts-expect-error: it needs a number
    const other: Metric<{ spent?: number }> = metric;
    // @ts-expect-error: only an engine calls a metric of which the input is not known
    (metric as AnyMetric).score({ spent: 1 });
    expect(other).toBe(metric);
  });
});

describe("lowestOf", () => {
  test("takes the inputs of all its curves", () => {
    const scorer = lowestOf(
      spent,
      halving({ idle: 3, oversized: 10 }),
      passFail("tagged", { passes: true, pass: "", fail: "" }),
    );
    expectTypeOf(scorer).parameter(0).toExtend<{ spent: number; idle: number; oversized: number; tagged: boolean }>();
    expectTypeOf<{ spent: number; idle: number; oversized: number; tagged: boolean }>().toExtend<
      Parameters<typeof scorer>[0]
    >();
  });

  test("keeps the input of curves that are one list", () => {
    const curves: ScoreFunction<{ spent: number }>[] = [spent];
    expectTypeOf(lowestOf(...curves)).toEqualTypeOf<ScoreFunction<{ spent: number }>>();
  });

  test("is no function of an input that lacks one of its fields", () => {
    const score = lowestOf(spent, halving({ idle: 3 }));
    // @ts-expect-error: idle may be missing
    defineMetric({ ...about, raw: z.object({ spent: z.number(), idle: z.number().optional() }), score });
    defineMetric({ ...about, raw: z.object({ spent: z.number(), idle: z.number() }), score });
  });
});

describe("names", () => {
  const budget = defineMetric({ ...about, raw: z.object({ spent: z.number() }), score: spent });
  const defined = { dimension: "run", weight: 1, package: { name: "@acme/cost", version: "1.0.0" } };
  const own = defineScorecard({ ...defined, name: "own", metrics: [budget] });
  const loaded: Scorecard = own;

  test("are kept by a scorecard", () => {
    expectTypeOf(own).toEqualTypeOf<Scorecard<"own", Metric<{ spent: number }, "budget">>>();
    // @ts-expect-error: not its name
    const other: Scorecard<"other"> = own;
    expect(other).toBe(own);
  });

  test("are checked where they are written", () => {
    const engine = createEngine([cost, own]);
    expect(engine.score("cost", "servers", { idle: 0, oversized: 0 }).score).toBe(100);
    expect(engine.score("own", "budget", { spent: 0 }).score).toBe(100);
    // @ts-expect-error: mistyped
    expect(() => engine.score("cost", "server", {})).toThrow("there is no metric of cost");
    // @ts-expect-error: a metric of another scorecard
    expect(() => engine.score("own", "servers", {})).toThrow("there is no metric of own");
    // @ts-expect-error: mistyped
    expect(() => engine.score("costs", "budget", {})).toThrow("there is no scorecard");
  });

  test("from elsewhere go to an Engine without names", () => {
    const [scorecard = "", metric = ""] = "cost.servers".split(".");
    const engine: Engine = createEngine([cost, own]);
    expect(engine.score(scorecard, metric, { idle: 0, oversized: 0 }).score).toBe(100);
    // @ts-expect-error: a text that may be anything
    expect(createEngine([cost]).score("cost", metric, { idle: 0, oversized: 0 }).score).toBe(100);
  });

  test("of a scorecard that is loaded by name are any", () => {
    const engine = createEngine([cost, loaded]);
    expectTypeOf(engine).toExtend<Engine>();
    expect(() => engine.score("elsewhere", "any", {})).toThrow("there is no scorecard");
  });

  test("are checked in the cases of checkScorecard", () => {
    const cases = { "nothing spent": { raw: { spent: 0 }, score: 100 } };
    expect(checkScorecard(own, { budget: cases })).not.toHaveLength(0);
    // @ts-expect-error: mistyped
    expect(checkScorecard(own, { bugdet: cases })).not.toHaveLength(0);
    // @ts-expect-error: a metric without cases
    expect(checkScorecard(cost, { servers: {} })).not.toHaveLength(0);
    expect(checkScorecard(loaded, { [String("budget")]: cases })).not.toHaveLength(0);
  });
});

test("a validator by hand says what it lets pass", () => {
  const raw: RawSchema<{ spent: number }> = z.object({ spent: z.number() });
  expectTypeOf(defineMetric({ ...about, raw, score: spent })).toEqualTypeOf<Metric<{ spent: number }, "budget">>();
});

describe("a result", () => {
  test("is checked where it is written, and anything in an Engine without names", () => {
    const engine = createEngine([cost]);
    expectTypeOf(engine.score<"cost", "budget">)
      .parameter(2)
      .toEqualTypeOf<{ readonly used_pct: number }>();
    // @ts-expect-error: a text
    expect(() => engine.score("cost", "budget", { used_pct: "80" })).toThrow("must be a number");
    // @ts-expect-error: a field is missing
    expect(() => engine.score("cost", "servers", { idle: 0 })).toThrow("is required");
    const any: Engine = engine;
    expectTypeOf(any.score<"cost", "budget">)
      .parameter(2)
      .toEqualTypeOf<unknown>();
    expect(() => any.score("cost", "budget", { used_pct: "80" })).toThrow("must be a number");
  });

  test("of one metric or another is either", () => {
    const engine = createEngine([cost]);
    const metric = "servers" as "servers" | "budget";
    expectTypeOf(engine.score<"cost", typeof metric>)
      .parameter(2)
      .toEqualTypeOf<{ readonly used_pct: number } | { readonly idle: number; readonly oversized: number }>();
    expect(engine.score("cost", metric, { idle: 0, oversized: 0 }).score).toBe(100);
  });

  test("of a metric that is not known is anything", () => {
    const engine = createEngine([cost as Scorecard<"cost">]);
    expectTypeOf(engine.score<"cost", "budget">)
      .parameter(2)
      .toEqualTypeOf<unknown>();
    expect(engine.score("cost", "budget", { used_pct: 80 }).score).toBe(100);
  });
});

test("the scores of an application are named where they are written", () => {
  const at = new Date(0);
  const score = { score: 40, reported_at: at };
  expect(rollUpApp([cost], { "cost.budget": score }, at)).toMatchObject({ score: 40 });
  // @ts-expect-error: mistyped
  expect(() => rollUpApp([cost], { "cost.bugdet": score }, at)).toThrow("there is no metric");
  const engine = createEngine([cost]);
  const raw = { used_pct: 100 };
  expect(findGain(engine, { "cost.budget": { ...score, raw } }, at).metrics).toHaveLength(1);
  // @ts-expect-error: of another scorecard
  expect(() => findGain(engine, { "speed.budget": { ...score, raw } }, at)).toThrow("there is no metric");
  const any: Engine = engine;
  expect(findGain(any, { ["cost.budget" as string]: { ...score, raw } }, at).metrics).toHaveLength(1);
});
