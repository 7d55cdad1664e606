import fc from "fast-check";
import {
  createEngine,
  type Direction,
  defineMetric,
  type Engine,
  halving,
  logPiecewise,
  lowestOf,
  piecewise,
  type ScoreFunction,
} from "../src/index.ts";
import { scorecardWith } from "./scorecards.ts";

/** One input of a metric of one's own, and what trying every value would find. */
interface Searched {
  readonly parts: readonly ScoreFunction<never>[];
  readonly value: number;
  readonly better: Direction;
  readonly isCount: boolean;
  /** Where its curves bend, and 0 of a count. The best value is among them, or it is the one it has. */
  readonly bends: readonly number[];
}

/** A metric of these inputs, `own.size`, with a result. */
export interface Case {
  readonly engine: Engine;
  readonly raw: Readonly<Record<string, number>>;
  readonly inputs: Readonly<Record<string, Searched>>;
}

const scales = fc.constantFrom(1, 1, 1, 0.001, 1e9, 1e12, 1e17);

/** Straight lines, or those of logarithms, that only rise or only fall. */
const lines = (field: string, better: Direction, inputs: fc.Arbitrary<number>) =>
  fc
    .record({
      at: fc.uniqueArray(inputs, { minLength: 2, maxLength: 4, comparator: "SameValueZero" }),
      scores: fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }).filter(([first, second]) => first !== second),
      isLog: fc.boolean(),
    })
    .map(({ at, scores, isLog }) => {
      const bends = at.sort((a, b) => a - b);
      const sorted = scores.slice(0, bends.length).sort((a, b) => (better === "higher" ? a - b : b - a));
      const points = bends.map((bend, index) => [bend, sorted[index] ?? 0] as const);
      const curve = isLog && (bends[0] ?? 0) > 0 ? logPiecewise : piecewise;
      return { bends, part: curve(field, points) as ScoreFunction<never> };
    });

const number = (field: string) =>
  fc.tuple(scales, fc.constantFrom<Direction>("lower", "higher")).chain(([scale, better]) => {
    const sizes = fc.integer({ min: -200, max: 400 }).map((size) => size * scale);
    const value = fc.oneof(
      sizes,
      fc.double({ min: -300, max: 500, noNaN: true }).map((size) => size * scale),
    );
    return fc.tuple(value, fc.array(lines(field, better, sizes), { minLength: 1, maxLength: 2 })).map(
      ([value, all]): Searched => ({
        ...{ value, better, isCount: false },
        parts: all.map(({ part }) => part),
        bends: all.flatMap(({ bends }) => bends),
      }),
    );
  });

const count = (field: string) =>
  fc
    .tuple(fc.nat(120), fc.constantFrom(0.5, 4, 40), fc.array(lines(field, "lower", fc.nat(100)), { maxLength: 1 }))
    .map(
      ([value, halvedBy, all]): Searched => ({
        ...{ value, better: "lower", isCount: true },
        parts: [halving({ [field]: halvedBy }) as ScoreFunction<never>, ...all.map(({ part }) => part)],
        bends: [0, ...all.flatMap(({ bends }) => bends)],
      }),
    );

const input = (field: string) => fc.oneof(number(field), count(field));

/** Metrics of one input or two of which the lowest counts. */
export const anyCase: fc.Arbitrary<Case> = fc
  .record({ a: input("a"), b: input("b") }, { requiredKeys: ["a"] })
  .map((given) => {
    const inputs = Object.fromEntries(Object.entries(given).flatMap(([field, one]) => (one ? [[field, one]] : [])));
    const parts = Object.values(inputs).flatMap((one) => one.parts);
    const metric = defineMetric({
      ...{ name: "size", title: "Size" },
      score: (parts.length === 1 ? parts[0] : lowestOf(...parts)) as ScoreFunction<Record<string, number>>,
    });
    const raw = Object.fromEntries(Object.entries(inputs).map(([field, { value }]) => [field, value]));
    return { engine: createEngine([scorecardWith({ name: "own", metrics: [metric] })]) as Engine, raw, inputs };
  });

/** The best value of an input. */
export function bestValue({ value, better, bends }: Searched): number {
  return better === "lower" ? Math.min(value, ...bends) : Math.max(value, ...bends);
}
