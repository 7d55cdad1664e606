import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anyOrganisation,
  anyScore,
  anyScorecards,
  type Organisation,
  readAt,
} from "../../../test-support/organisations.ts";
import { byDefinition, isOf, type Values, valuesOf } from "../test/definition.ts";
import { type AppliesRule, findExemptions, rollUp } from "./index.ts";

const rolledUp = ({ scorecards, scores, waivers, applies, registry }: Organisation, at = readAt) =>
  valuesOf(
    rollUp(scorecards, scores, at, waivers, (target) => {
      const registered = registry.find((one) => isOf({ ...one, env: target.env }, target));
      return findExemptions(applies, { env: target.env, ...registered }, at);
    }),
  );

/** Sums of the same numbers in another order differ by less. */
const close = (values: Values) => values.map((one) => expect.closeTo(one, 9));

describe("whatever is reported, whenever, waived and exempt", () => {
  test("every level is what the definition says", () => {
    fc.assert(
      fc.property(anyOrganisation, (organisation) => {
        const expected = byDefinition(organisation);
        const actual = rolledUp(organisation);
        expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [id, values] of expected) expect(actual.get(id), id).toEqual(close(values));
      }),
    );
  });

  test("shares stay within their bounds, exactly", () => {
    fc.assert(
      fc.property(anyOrganisation, (organisation) => {
        for (const values of rolledUp(organisation).values()) {
          const [score, reported, fresh, waived, exempt] = values as [number, number, number, number, number];
          expect(score >= 0 && score <= 100 && reported > 0 && reported <= 1).toBe(true);
          expect(fresh >= 0 && fresh <= reported && waived >= 0 && waived < 1).toBe(true);
          expect(exempt >= 0 && exempt < 1 && waived + exempt < 1 + 1e-9).toBe(true);
        }
      }),
    );
  });

  test("an application lies between its lowest and its highest metric", () => {
    fc.assert(
      fc.property(anyOrganisation, ({ scorecards, scores }) => {
        for (const app of rollUp(scorecards, scores, readAt).apps) {
          const own = scores.filter((one) => isOf(one, app) && one.scorecard !== "gone" && one.metric !== "gone");
          expect(app.score).toBeGreaterThanOrEqual(Math.min(...own.map((one) => one.score)) - 1e-9);
          expect(app.score).toBeLessThanOrEqual(Math.max(...own.map((one) => one.score)) + 1e-9);
        }
      }),
    );
  });

  test("where all scores are the same, so is every mean, exactly", () => {
    fc.assert(
      fc.property(anyOrganisation, fc.integer({ min: 0, max: 10_000 }), (organisation, hundredths) => {
        const score = hundredths / 100;
        const scores = organisation.scores.map((one) => ({ ...one, score }));
        for (const [rolled] of rolledUp({ ...organisation, scores }).values()) expect(rolled).toBe(score);
      }),
    );
  });

  test("the order of the input changes no value", () => {
    const shuffled = anyOrganisation.chain((one) =>
      fc.tuple(fc.constant(one), fc.shuffledSubarray([...one.scores], { minLength: one.scores.length })),
    );
    fc.assert(
      fc.property(shuffled, ([organisation, scores]) => {
        const expected = rolledUp(organisation);
        const actual = rolledUp({ ...organisation, scores });
        expect(actual.size).toBe(expected.size);
        for (const [id, values] of expected) expect(actual.get(id), id).toEqual(close(values));
      }),
    );
  });

  test("full reporting has a share reported of exactly 1", () => {
    fc.assert(
      fc.property(anyScorecards, fc.array(anyScore, { minLength: 9, maxLength: 9 }), (scorecards, values) => {
        const home = { area: "x", team: "x", app: "x", env: "prod" };
        const scores = scorecards.flatMap(({ name: scorecard, metrics }, card) =>
          metrics.map(({ name: metric }, index) => {
            return { ...home, scorecard, metric, score: values[card * 3 + index] ?? Number.NaN, reported_at: readAt };
          }),
        );
        const { apps, teams, areas } = rollUp(scorecards, scores, readAt);
        expect([...apps, ...teams, ...areas].map(({ reported }) => reported)).toEqual([1, 1, 1]);
      }),
    );
  });

  test("as time passes, the share fresh only falls, while scores and shares reported stay", () => {
    const later = fc.nat({ max: 100 * 3_600_000 }).map((milliseconds) => new Date(readAt.getTime() + milliseconds));
    fc.assert(
      fc.property(anyOrganisation, later, (organisation, at) => {
        const unwaived = { ...organisation, waivers: [], applies: [] };
        const now = rolledUp(unwaived);
        const then = rolledUp(unwaived, at);
        expect([...then.keys()]).toEqual([...now.keys()]);
        for (const [id, [score, reported, fresh, ...rest]] of now) {
          const [laterScore, laterReported, laterFresh, ...laterRest] = then.get(id) ?? [];
          expect([laterScore, laterReported, laterRest]).toEqual([score, reported, rest]);
          expect(laterFresh).toBeLessThanOrEqual(fresh ?? Number.NaN);
        }
      }),
    );
  });

  test("where nothing ages, the share fresh is the share reported", () => {
    const ageless = anyOrganisation.map((one) => ({
      ...one,
      scorecards: one.scorecards.map((card) => ({
        ...card,
        metrics: card.metrics.map(({ maxAgeHours: _, ...rest }) => rest),
      })),
    }));
    fc.assert(
      fc.property(ageless, (organisation) => {
        for (const [, reported, fresh] of rolledUp(organisation).values()) expect(fresh).toBe(reported);
      }),
    );
  });

  test("a waiver does what leaving the scores and the metrics out would do, but for `waived`", () => {
    fc.assert(
      fc.property(anyOrganisation, (organisation) => {
        const scorecards = organisation.scorecards.map((card) =>
          card.name === "one" ? { ...card, metrics: card.metrics.filter(({ name }) => name !== "a") } : card,
        );
        const created_at = new Date(readAt.getTime() - 1);
        const waivers = ["x", "y"].map((area) => ({ area, scorecard: "one", metric: "a", created_at }));
        const withoutWaived = (rolled: Map<string, Values>) =>
          new Map([...rolled].map(([id, values]) => [id, values.filter((_, index) => index !== 3 && index !== 4)]));
        const applies: AppliesRule[] = [];
        expect(withoutWaived(rolledUp({ ...organisation, waivers, applies }))).toEqual(
          withoutWaived(rolledUp({ ...organisation, scorecards, waivers: [], applies })),
        );
      }),
    );
  });

  test("an exemption does what a waiver would do, with `exempt` in place of `waived`", () => {
    fc.assert(
      fc.property(anyOrganisation, (organisation) => {
        const created_at = new Date(readAt.getTime() - 1);
        const what = { scorecard: "one", metric: "a" };
        const waivers = ["x", "y"].map((area) => ({ area, ...what, created_at }));
        const swapped = ([score, reported, fresh, waived, exempt, ...rest]: Values) => [
          ...[score, reported, fresh, exempt, waived],
          ...rest,
        ];
        const waived = rolledUp({ ...organisation, waivers, applies: [] });
        expect(rolledUp({ ...organisation, waivers: [], applies: [{ ...what, from: "2026-03-02" }] })).toEqual(
          new Map([...waived].map(([id, values]) => [id, swapped(values)])),
        );
      }),
    );
  });
});
