import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCase, bestValue } from "../test/searched.ts";
import { findReach } from "./reach.ts";

test("whatever curves a metric has, what it finds is what trying the values finds", () => {
  fc.assert(
    fc.property(anyCase, fc.integer({ min: 1, max: 100 }), ({ engine, raw, inputs }, minimum) => {
      const scoreOf = (values: object) => engine.score("own", "size", { ...raw, ...values }).score;
      fc.pre(scoreOf({}) < minimum);
      const { alone, together, best } = findReach(engine, "own", "size", raw, minimum);
      const all = Object.fromEntries(Object.entries(inputs).map(([field, one]) => [field, bestValue(one)]));
      expect(best).toBe(scoreOf(all));
      const enough = Object.keys(all).filter((field) => scoreOf({ [field]: all[field] }) >= minimum);
      expect(alone.map(({ field }) => field)).toEqual(enough);
      expect(together.length > 0).toBe(enough.length === 0 && best >= minimum);
      for (const changes of alone.length > 0 ? alone.map((one) => [one]) : [together]) {
        const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
        expect(scoreOf(changed) >= minimum).toBe(changes.length > 0);
        for (const { field, from, to } of changes) {
          const own = inputs[field];
          const way = Math.abs(Number(from) - (all[field] ?? 0));
          // A count of one more, of a fraction a hundredth of the way.
          const nearer = Number(to) + Math.sign(Number(from) - Number(to)) * (own?.isCount ? 1 : Math.max(way / 99, 1));
          const isBetween = own?.better === "lower" ? nearer < Number(from) : nearer > Number(from);
          if (isBetween) expect(scoreOf({ ...changed, [field]: nearer })).toBeLessThan(minimum);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
