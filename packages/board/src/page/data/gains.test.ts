import { rollUp, type Scorecard } from "@maturity/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gainsOf } from "./gains.ts";

const sizes = { security: 3, reliability: 1, application: 4 };
const weight = fc.integer({ min: 1, max: 40 });
const score = fc.option(fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100));

/** Scorecards with a weight of their own and of each metric, of which some reported. */
const organisations = fc.tuple(
  ...Object.entries(sizes).map(([name, size]) =>
    fc.record({
      name: fc.constant(name),
      weight,
      metrics: fc.tuple(...Array.from({ length: size }, () => fc.record({ weight, score }))),
    }),
  ),
);

test("what is waived gains nothing, and the weight of the others rises", () => {
  const card = { scorecard: "security", weight: 1, package: "", dimension: "" };
  const metric = (name: string) => ({ metric: name, title: name, weight: 1, max_age_hours: null, raw: {} });
  const scorecards = [{ ...card, metrics: [metric("sast"), metric("dast")] }] as unknown as Parameters<
    typeof gainsOf
  >[1];
  const scored = (metric: string, state: "fresh" | "waived") => ({ ...card, metric, state, score: 40 });
  const gains = gainsOf({ metrics: [scored("sast", "fresh"), scored("dast", "waived")] }, scorecards);
  expect(gains.map(({ metric, gain }) => ({ metric, gain }))).toEqual([{ metric: "sast", gain: 60 }]);
});

test("a gain is by how much the roll-up of core rises when the metric alone scores 100", () => {
  fc.assert(
    fc.property(organisations, (cards) => {
      const scores = cards.flatMap(({ name, metrics }) =>
        metrics.flatMap(({ score }, index) =>
          score === null ? [] : [{ scorecard: name, metric: `m${index}`, score, reported_at: 0 }],
        ),
      );
      const scorecards = cards.map(({ name, weight, metrics }) => ({
        name,
        weight,
        metrics: metrics.map(({ weight }, index) => ({ name: `m${index}`, title: "", weight })),
      }));
      const target = { area: "a", team: "t", app: "a", env: "e" };
      const rolled = (better?: { scorecard: string; metric: string }) => {
        const records = scores.map((one) => {
          const isBetter = one.scorecard === better?.scorecard && one.metric === better.metric;
          return { ...target, ...one, ...(isBetter && { score: 100 }) };
        });
        return rollUp(scorecards as unknown as readonly Scorecard[], records, new Date()).apps[0]?.score ?? 0;
      };
      const gains = gainsOf(
        { metrics: scores.map((one) => ({ ...one, weight: 1, state: "fresh", reported_at: "" })) },
        scorecards.map(({ name, weight, metrics }) => ({
          ...{ scorecard: name, weight, package: "", dimension: "" },
          metrics: metrics.map(({ name, title, weight }) => ({
            metric: name,
            title,
            weight,
            max_age_hours: null,
            raw: {},
          })),
        })) as unknown as Parameters<typeof gainsOf>[1],
      );
      expect(gains).toHaveLength(scores.filter(({ score }) => score < 100).length);
      for (const gain of gains) expect(gain.gain).toBeCloseTo(rolled(gain) - rolled(), 9);
      expect(gains.map(({ gain }) => gain)).toEqual(gains.map(({ gain }) => gain).toSorted((a, b) => b - a));
    }),
  );
});
