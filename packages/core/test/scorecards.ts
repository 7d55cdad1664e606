import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type AnyMetric,
  type AppGain,
  createEngine,
  type Direction,
  type Engine,
  findGain,
  type Scorecard,
  type ScoredRaw,
  type WeighedScorecard,
} from "../src/index.ts";

/** A Standard Schema that accepts every object, written by hand. */
export const anyObject: StandardSchemaV1<unknown, object> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) },
};

/** Which values of each input are better. */
export type Directions = Readonly<Record<string, Direction>>;

/** Inputs of which nothing but this is said. */
function directed(better: Directions): NonNullable<AnyMetric["inputs"]> {
  return Object.fromEntries(Object.entries(better).map(([field, direction]) => [field, { better: direction }]));
}

/** A metric that is in order, but for what is given: `better` stands for inputs of these directions. */
export function metricWith({ better, ...changes }: Readonly<Record<string, unknown>> = {}): AnyMetric {
  return {
    name: "spend",
    title: "Cloud spend",
    weight: 1,
    raw: anyObject,
    score: () => ({ score: 50, reasons: [{ field: "eur", value: 1, text: "it is what it is" }] }),
    ...(better !== undefined && { inputs: directed(better as Directions) }),
    ...changes,
  };
}

/** A scorecard that is in order, but for what is given. */
export function scorecardWith(changes: Readonly<Record<string, unknown>> = {}): Scorecard {
  return {
    contract: 1,
    name: "cost",
    dimension: "run",
    weight: 1,
    package: { name: "@acme/cost", version: "1.2.3" },
    metrics: [metricWith()],
    ...changes,
  };
}

/** A scorecard with metrics of these weights. */
export function weighted(name: string, weight: number, metrics: Readonly<Record<string, number>>): Scorecard {
  return scorecardWith({
    name,
    weight,
    metrics: Object.entries(metrics).map(([metric, share]) => metricWith({ name: metric, weight: share })),
  });
}

/** An engine of one metric, `own.size`. Its scorer is a plain function, and sizes below `least` are refused. */
export function sizedEngine(
  score: (size: number) => number,
  better: Directions = { size: "lower" },
  least = 0,
): Engine {
  const raw: StandardSchemaV1<unknown, object> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        const { size } = value as { size: unknown };
        return typeof size === "number" && size >= least ? { value: { size } } : { issues: [{ message: "no size" }] };
      },
    },
  };
  return ownEngine(raw, ({ size }: { readonly size: number }) => score(size), better);
}

/** An engine of one metric, `own.size`, of these inputs. */
export function ownEngine<Raw>(
  raw: StandardSchemaV1<unknown, object>,
  score: (raw: Raw) => number,
  better: Directions,
): Engine {
  const scorer = (raw: Raw) => ({ score: score(raw), reasons: [{ field: "size", value: "any", text: "size" }] });
  const metric = metricWith({ name: "size", raw, score: scorer, better });
  return createEngine([scorecardWith({ name: "own", metrics: [metric] })]);
}

/** What is in the order of the scorecards and their metrics, by the names of the metrics. */
export function byName<Value>(
  scorecards: readonly WeighedScorecard[],
  values: readonly (Value | undefined)[],
): Record<string, Value> {
  const names = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = values[index];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** `findGain` of what is in the order of the scorecards and their metrics. */
export function gainOf(
  engine: Engine,
  scores: readonly (ScoredRaw | undefined)[],
  at: Date,
  waived: readonly (object | undefined)[] = [],
): AppGain {
  const { scorecards } = engine;
  return findGain(engine, byName(scorecards, scores), at, new Map(Object.entries(byName(scorecards, waived))));
}
