import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metricWith, scorecardWith } from "../test/scorecards.ts";
import { type RollUp, rollUp, type Scorecard, type ScoreRecord, type Waiver } from "./index.ts";

const at = new Date("2026-03-01T12:00:00Z");
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);

describe("whatever is reported and waived", () => {
  const weight = fc.double({ min: 0.001, max: 1_000, noNaN: true });
  const cards = fc.tuple(
    ...["one", "two", "three"].map((name) =>
      fc.tuple(weight, weight, weight, weight).map(([own, ...three]) =>
        scorecardWith({
          name,
          weight: own,
          metrics: ["a", "b", "c"].map((metric, index) =>
            metricWith({ name: metric, weight: three[index], ...(metric === "b" && { maxAgeHours: 1 }) }),
          ),
        }),
      ),
    ),
  );
  const minutes = fc.integer({ min: -3, max: 3 });
  const target = {
    area: fc.constantFrom("x", "y"),
    team: fc.constantFrom("x", "y"),
    app: fc.constantFrom("x", "y", "z"),
    env: fc.constantFrom("prod", "dev"),
  };
  const reported = fc.uniqueArray(
    fc.record({
      ...target,
      scorecard: fc.constantFrom("one", "two", "three", "gone"),
      metric: fc.constantFrom("a", "b", "c"),
      score: fc.double({ min: 0, max: 100, noNaN: true }),
      reported_at: minutes.map((some) => later(some * 60)),
    }),
    {
      selector: ({ area, team, app, env, scorecard, metric }) => [area, team, app, env, scorecard, metric].join(),
      maxLength: 150,
      size: "max",
    },
  );
  const waivers: fc.Arbitrary<Waiver[]> = fc.array(
    fc.record(
      {
        ...target,
        scorecard: fc.constantFrom("one", "two", "three", "gone"),
        metric: fc.constantFrom("a", "b", "c"),
        created_at: minutes.map(later),
        expires_at: minutes.map(later),
        revoked_at: minutes.map(later),
      },
      { requiredKeys: ["area", "scorecard", "created_at"] },
    ),
    { maxLength: 12 },
  );

  test("every level is what the definition says", () => {
    fc.assert(
      fc.property(cards, reported, waivers, (registered, scores, some) => {
        const expected = byDefinition(registered, scores, some);
        const actual = valuesOf(rollUp(registered, scores, at, some));
        expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [key, values] of expected)
          expect(actual.get(key)).toEqual(values.map((one) => expect.closeTo(one, 9)));
      }),
    );
  });

  test("shares stay within their bounds, exactly", () => {
    fc.assert(
      fc.property(cards, reported, waivers, (registered, scores, some) => {
        for (const [score = Number.NaN, coverage = Number.NaN, fresh = Number.NaN, waived = Number.NaN] of valuesOf(
          rollUp(registered, scores, at, some),
        ).values()) {
          expect(score >= 0 && score <= 100 && coverage > 0 && coverage <= 1).toBe(true);
          expect(fresh >= 0 && fresh <= coverage && waived >= 0 && waived < 1).toBe(true);
        }
      }),
    );
  });

  test("a waiver does what leaving the scores and the metrics out would do, but for `waived`", () => {
    fc.assert(
      fc.property(cards, reported, (registered, scores) => {
        const [first, ...rest] = registered;
        const without =
          rest.length > 0 && first ? [{ ...first, metrics: first.metrics.slice(1) }, ...rest] : registered;
        const made = { scorecard: "one", metric: "a", created_at: later(-1) };
        const all = ["x", "y"].map((area): Waiver => ({ area, ...made }));
        const strip = (rolled: RollUp) =>
          new Map([...valuesOf(rolled)].map(([key, values]) => [key, values.slice(0, 3)]));
        expect(strip(rollUp(registered, scores, at, all))).toEqual(strip(rollUp(without, scores, at)));
      }),
    );
  });
});

/** Score, coverage, fresh coverage and waived share. */
type Values = readonly number[];

/** By the labels of a level, joined. */
function valuesOf({ apps, teams, areas }: RollUp): Map<string, Values> {
  const of = (
    one: RollUp["areas"][number] | RollUp["apps"][number]["scorecards"][number] | RollUp["apps"][number],
  ): Values => [one.score, one.coverage, one.freshCoverage, one.waived];
  return new Map([
    ...apps.flatMap((one): [string, Values][] => [
      [["app", one.area, one.team, one.app, one.env].join(), of(one)],
      ...one.scorecards.map((card): [string, Values] => [
        ["scorecard", one.area, one.team, one.app, one.env, card.scorecard].join(),
        of(card),
      ]),
    ]),
    ...teams.map((one): [string, Values] => [["team", one.area, one.team, one.env].join(), of(one)]),
    ...areas.map((one): [string, Values] => [["area", one.area, one.env].join(), of(one)]),
  ]);
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** The definition as it is written down, level by level, each by looking through all that is below it. */
function byDefinition(
  registered: readonly Scorecard[],
  scores: readonly ScoreRecord[],
  waivers: readonly Waiver[],
): Map<string, Values> {
  const values = new Map<string, Values>();
  const isIn = (one: Waiver) => {
    const ends = [one.expires_at, one.revoked_at].filter((end) => end !== undefined).map(Number);
    return Number(one.created_at) <= at.getTime() && at.getTime() < Math.min(...ends);
  };
  for (const { area, team, app, env } of scores) {
    const own = scores.filter((one) => [one.area, one.team, one.app, one.env].join() === [area, team, app, env].join());
    const mine = waivers.filter(
      (one) =>
        isIn(one) &&
        one.area === area &&
        (one.team ?? team) === team &&
        (one.app ?? app) === app &&
        (one.env ?? env) === env,
    );
    const parts = registered.map(({ name, weight, metrics }) => {
      const isWaived = (metric: string) =>
        mine.some((one) => one.scorecard === name && (one.metric ?? metric) === metric);
      const left = metrics.filter((metric) => !isWaived(metric.name));
      const found = left.flatMap((metric) => {
        const one = own.find((record) => record.scorecard === name && record.metric === metric.name);
        return one
          ? [
              {
                weight: metric.weight,
                score: one.score,
                age: at.getTime() - Number(one.reported_at),
                most: 2 * (metric.maxAgeHours ?? Number.POSITIVE_INFINITY) * 3_600_000,
              },
            ]
          : [];
      });
      const weights = (some: readonly { readonly weight: number }[]) => total(some.map((one) => one.weight));
      const sums = [
        total(found.map((one) => one.weight * one.score)) / weights(found),
        weights(found) / weights(left),
        weights(found.filter(({ age, most }) => age <= most)) / weights(left),
        weights(metrics.filter((metric) => isWaived(metric.name))) / weights(metrics),
      ];
      if (found.length > 0) values.set(["scorecard", area, team, app, env, name].join(), sums);
      return { weight, sums, found: found.length, left: left.length };
    });
    const withScore = parts.filter(({ found }) => found > 0);
    const left = parts.filter((part) => part.left > 0);
    if (withScore.length === 0) continue;
    const mean = (some: typeof parts, index: number) =>
      total(some.map(({ weight, sums }) => weight * (sums[index] ?? 0))) / total(some.map(({ weight }) => weight));
    values.set(["app", area, team, app, env].join(), [
      mean(withScore, 0),
      mean(left, 1),
      mean(left, 2),
      mean(parts, 3),
    ]);
  }
  const mean = (all: readonly Values[]) =>
    [0, 1, 2, 3].map((index) => total(all.map((one) => one[index] ?? 0)) / all.length);
  const keys = [...values.keys()].filter((id) => id.startsWith("app,")).map((id) => id.split(","));
  for (const [, area = "", team = "", , env = ""] of keys) {
    const apps = keys.filter((key) => key[1] === area && key[2] === team && key[4] === env);
    values.set(["team", area, team, env].join(), mean(apps.map((key) => values.get(key.join()) ?? [])));
  }
  for (const [, area = "", , , env = ""] of keys) {
    const teams = [...values].filter(([id]) => id.startsWith(`team,${area},`) && id.endsWith(`,${env}`));
    values.set(["area", area, env].join(), mean(teams.map(([, one]) => one)));
  }
  return values;
}
