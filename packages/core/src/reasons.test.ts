import fc from "fast-check";
import { expect, test } from "vitest";
import { halving, logPiecewise, type Point, piecewise, type ScoreFunction } from "./index.ts";

/** A sentence is true when a reader who knows nothing else comes to the same score by its rule. */

const number = (text: string | undefined) => Number(text?.replaceAll(",", ""));

const points = fc
  .uniqueArray(fc.record({ input: fc.integer({ min: 1, max: 20_000 }), score: fc.integer({ min: 0, max: 100 }) }), {
    minLength: 2,
    maxLength: 6,
    selector: ({ input }) => input,
  })
  .map((list) => list.sort((a, b) => a.input - b.input).map(({ input, score }): Point => [input, score]));

/** One of the points, or anything. */
const inputOf = (list: readonly Point[]) =>
  fc.oneof(
    fc.constantFrom(...list.map(([input]) => input)),
    fc.integer({ min: 0, max: 210_000 }).map((tenths) => tenths / 10),
  );

const curveAndInput = points.chain((list) => fc.record({ list: fc.constant(list), input: inputOf(list) }));

const line =
  /^n is ([\d,.]+), which scores ([\d.]+); the score (?:rises|falls|stays at (\d+))( evenly)? from (?:(\d+) at )?([\d,]+) to (?:(\d+) at )?([\d,]+)(?:, by ([\d.]+) points? with every doubling)?$/;
const enough = /^n is ([\d,.]+), which scores ([\d.]+); ([\d,]+) or (less|more) is enough for that$/;

function checkSentence(
  define: (field: "n", points: readonly Point[]) => ScoreFunction<{ n: number }>,
  scale: (input: number) => number,
) {
  fc.assert(
    fc.property(curveAndInput, ({ list, input }) => {
      const scorer = define("n", list);
      const { score, reasons } = scorer({ n: input });
      const [{ text } = { text: "" }] = reasons;
      const bound = enough.exec(text);
      if (bound) {
        const [, value, scores, at, side] = bound;
        const further = side === "more" ? -1 : 1;
        expect([number(value), number(scores)]).toEqual([input, score]);
        expect(scorer({ n: number(at) }).score).toBe(score);
        expect(scorer({ n: number(at) + further }).score).toBeLessThan(score);
        expect(Math.sign(input - number(at))).toBe(-further);
        return;
      }
      const [, value, scores, level, , lowScore = level, low, highScore = level, high, step] = line.exec(text) ?? [];
      expect(text).toMatch(line);
      const [from, to] = [scale(number(low)), scale(number(high))];
      const at = Math.min(Math.max(scale(number(value)), from), to);
      const said = number(lowScore) + ((at - from) / (to - from)) * (number(highScore) - number(lowScore));
      expect(number(value)).toBe(input);
      expect(said).toBeCloseTo(score, 6);
      expect(Math.abs(number(scores) - score)).toBeLessThan(0.00501);
      if (step === undefined) return;
      const doubling = (Math.abs(number(highScore) - number(lowScore)) / (to - from)) * Math.LN2;
      expect(number(step)).toBe(Number(doubling.toPrecision(3)));
    }),
  );
}

test("of a straight line", () => checkSentence(piecewise, (input) => input));

test("of a line over the logarithm", () => checkSentence(logPiecewise, Math.log));

test("of counts that halve the score", () => {
  const sentence = /^([\d,]+) high findings? leaves? (less than |more than )?([\d.]+) % of the score; (.+)$/;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 3_000 }), (count, tenths) => {
      const { score, reasons } = halving({ high: tenths / 10 })({ high: count });
      const [, counted, bound, share, rule = ""] = sentence.exec(reasons[0]?.text ?? "") ?? [];
      const halvedBy = rule === "each one halves it" ? 1 : number(/^every ([\d,.]+) of them halve it$/.exec(rule)?.[1]);
      const left = 100 * 2 ** -(number(counted) / halvedBy);
      expect(left).toBeCloseTo(score, 9);
      if (bound === "less than ") expect(left).toBeLessThan(number(share));
      else if (bound === "more than ") expect(left).toBeGreaterThan(number(share));
      else expect(number(share)).toBe(Number(left.toPrecision(2)));
    }),
  );
});
