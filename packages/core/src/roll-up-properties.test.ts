import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { weighted } from "../test/scorecards.ts";
import { type RollUp, rollUp, type ScoreRecord } from "./index.ts";

/** The time of every reading. */
const at = new Date("2026-03-01T12:00:00Z");

/** A score of `metric`, written `security.image_scan`. */
function record(full: string, score: number, key: Partial<ScoreRecord> = {}): ScoreRecord {
  const [scorecard = "", metric = ""] = full.split(".");
  const home = { area: "retail", team: "basket", app: "checkout", env: "prod" };
  return { ...home, scorecard, metric, score, reported_at: at, ...key };
}

describe("whatever reported", () => {
  const weight = fc.double({ min: 0.001, max: 1_000, noNaN: true });
  const score = fc.double({ min: 0, max: 100, noNaN: true });
  const metrics = { a: weight, b: weight, c: weight };
  const cards = fc
    .tuple(weight, fc.record(metrics), weight, fc.record(metrics))
    .map(([w1, m1, w2, m2]) => [weighted("one", w1, m1), weighted("two", w2, m2)]);
  const keys = ["one.a", "one.b", "one.c", "two.a", "two.b", "two.c"].flatMap((metric) =>
    ["x", "y", "z"].flatMap((app) => ["t1", "t2"].map((team) => ({ metric, app, team }))),
  );
  const scores = fc
    .uniqueArray(fc.record({ key: fc.constantFrom(...keys), score }), { selector: ({ key }) => key })
    .map((some) => some.map(({ key: { metric, app, team }, score }) => record(metric, score, { app, team })));

  test("an app lies between its lowest and its highest metric, with a coverage above 0 and up to 1", () => {
    fc.assert(
      fc.property(cards, scores, (registered, reported) => {
        const { apps, teams, areas } = rollUp(registered, reported, at);
        for (const { app, team, score } of apps) {
          const own = reported.filter((one) => one.app === app && one.team === team).map((one) => one.score);
          expect(score).toBeGreaterThanOrEqual(Math.min(...own) - 1e-9);
          expect(score).toBeLessThanOrEqual(Math.max(...own) + 1e-9);
        }
        for (const { coverage, score } of [...apps, ...teams, ...areas]) {
          expect(coverage).toBeGreaterThan(0);
          expect(coverage).toBeLessThanOrEqual(1);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  test("the order of the input changes no value", () => {
    const shuffled = scores.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    const valuesOf = ({ apps, teams, areas }: RollUp) =>
      new Map(
        [...apps, ...teams, ...areas].map(({ score, coverage, ...rest }) => {
          const { team, app } = { team: "", app: "", ...rest };
          return [`${team} ${app}`, [score, coverage]];
        }),
      );
    fc.assert(
      fc.property(cards, shuffled, (registered, [some, other]) => {
        const expected = valuesOf(rollUp(registered, some, at));
        const actual = valuesOf(rollUp(registered, other, at));
        expect(actual.size).toBe(expected.size);
        for (const [key, [score = Number.NaN, coverage = Number.NaN]] of expected) {
          expect(actual.get(key)).toEqual([expect.closeTo(score, 9), expect.closeTo(coverage, 9)]);
        }
      }),
    );
  });

  test("full reporting has a coverage of exactly 1", () => {
    fc.assert(
      fc.property(cards, fc.array(score, { minLength: 6, maxLength: 6 }), (registered, values) => {
        const reported = ["one.a", "one.b", "one.c", "two.a", "two.b", "two.c"].map((metric, index) =>
          record(metric, values[index] ?? 0),
        );
        const { apps, teams, areas } = rollUp(registered, reported, at);
        expect([...apps, ...teams, ...areas].map(({ coverage }) => coverage)).toEqual([1, 1, 1]);
      }),
    );
  });
});
