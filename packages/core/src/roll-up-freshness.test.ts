import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metricWith, scorecardWith } from "../test/scorecards.ts";
import { type RollUp, rollUp, type Scorecard, type ScoreRecord } from "./index.ts";

const at = new Date("2026-03-01T12:00:00Z");
const hoursAgo = (hours: number) => new Date(at.getTime() - hours * 3_600_000);

const security = scorecardWith({
  name: "security",
  weight: 3,
  metrics: [
    metricWith({ name: "sast", weight: 1, maxAgeHours: 168 }),
    metricWith({ name: "dast", weight: 3, maxAgeHours: 24 }),
  ],
});
const cost = scorecardWith({ name: "cost", weight: 1, metrics: [metricWith({ name: "budget" })] });
const scorecards = [security, cost];

const home = { area: "retail", team: "basket", app: "checkout", env: "prod" };

function record(full: string, score: number, hours: number, key: Partial<ScoreRecord> = {}): ScoreRecord {
  const [scorecard = "", metric = ""] = full.split(".");
  return { ...home, scorecard, metric, score, reported_at: hoursAgo(hours), ...key };
}

describe("an application of which one score is stale", () => {
  const scores = [record("security.sast", 40, 48), record("security.dast", 80, 48.001), record("cost.budget", 60, 1e6)];

  test("keeps its score and its coverage, and has less fresh coverage", () => {
    // security (40 + 3·80) / 4 = 70, of which sast, a quarter, is fresh; app (3·70 + 60) / 4, fresh (3·0.25 + 1) / 4
    expect(rollUp(scorecards, scores, at).apps[0]).toEqual({
      ...home,
      score: 67.5,
      coverage: 1,
      freshCoverage: 0.4375,
      waived: 0,
      scorecards: [
        { scorecard: "security", score: 70, coverage: 1, freshCoverage: 0.25, waived: 0 },
        { scorecard: "cost", score: 60, coverage: 1, freshCoverage: 1, waived: 0 },
      ],
    });
  });

  test("was all fresh a moment before: twice the age is late, not stale", () => {
    const moment = new Date(at.getTime() - 3_600);
    expect(rollUp(scorecards, scores, moment).apps[0]).toMatchObject({ score: 67.5, coverage: 1, freshCoverage: 1 });
  });

  test("has no fresh coverage when all of it is stale, and still a score", () => {
    expect(rollUp(scorecards, [record("security.dast", 80, 49)], at).apps[0]).toMatchObject({
      score: 80,
      coverage: 0.5625,
      freshCoverage: 0,
      scorecards: [{ scorecard: "security", score: 80, coverage: 0.75, freshCoverage: 0 }],
    });
  });

  test("counts in the averages of its team and area, which average what they have", () => {
    const other = [
      record("security.sast", 100, 0, { app: "vouchers" }),
      record("cost.budget", 0, 0, { team: "search" }),
    ];
    const { teams, areas } = rollUp(scorecards, [...scores, ...other], at);
    // checkout 0.4375, vouchers 3·0.25 / 4 = 0.1875; search 0.25
    expect(teams.map(({ freshCoverage }) => freshCoverage)).toEqual([0.3125, 0.25]);
    expect(areas.map(({ freshCoverage }) => freshCoverage)).toEqual([0.281_25]);
  });
});

test("times may be texts as the service writes them", () => {
  const text = record("security.dast", 80, 0, { reported_at: "2026-02-27T11:59:59.999Z" });
  expect(rollUp(scorecards, [text], at).apps[0]).toMatchObject({ coverage: 0.5625, freshCoverage: 0 });
});

test("a time that is none is refused where it decides, and ignored where it does not", () => {
  const broken = { reported_at: "soon" };
  expect(() => rollUp(scorecards, [record("security.sast", 1, 0, broken)], at)).toThrow(
    new RangeError("a time must be a Date or a text such as 2026-01-31T12:00:00Z; got soon"),
  );
  const unaffected = [record("cost.budget", 1, 0, broken), record("security.gone", 1, 0, broken)];
  expect(rollUp(scorecards, unaffected, at).apps[0]).toMatchObject({ freshCoverage: 0.25 });
});

describe("whatever reported, whenever", () => {
  const weight = fc.double({ min: 0.001, max: 1_000, noNaN: true });
  const metric = (name: string) =>
    fc
      .record({ weight, maxAgeHours: fc.constantFrom(undefined, 1, 24, 168, 0.25) })
      .map((declared) => metricWith({ name, ...declared }));
  const card = (name: string) =>
    fc
      .tuple(weight, metric("a"), metric("b"), metric("c"))
      .map(([share, ...metrics]) => scorecardWith({ name, weight: share, metrics }));
  const cards = fc.tuple(card("one"), card("two"), card("three"));
  const reported = fc.uniqueArray(
    fc.record({
      area: fc.constantFrom("x", "y"),
      team: fc.constantFrom("x", "y"),
      app: fc.constantFrom("x", "y", "z"),
      env: fc.constantFrom("prod", "dev"),
      scorecard: fc.constantFrom("one", "two", "three", "gone"),
      metric: fc.constantFrom("a", "b", "c", "gone"),
      score: fc.double({ min: 0, max: 100, noNaN: true }),
      // Quarters of an hour, so that many stand on a border.
      reported_at: fc.integer({ min: -4, max: 2 * 4 * 168 + 4 }).map((quarters) => hoursAgo(quarters / 4)),
    }),
    {
      selector: ({ area, team, app, env, scorecard, metric }) => [area, team, app, env, scorecard, metric].join(),
      maxLength: 150,
      size: "max",
    },
  );

  test("every level is what the definition says", () => {
    fc.assert(
      fc.property(cards, reported, (registered, scores) => {
        const rolled = rollUp(registered, scores, at);
        const expected = byDefinition(registered, scores);
        const actual = valuesOf(rolled);
        expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [id, [score, coverage, fresh]] of expected) {
          expect(actual.get(id), id).toEqual([
            expect.closeTo(score, 9),
            expect.closeTo(coverage, 9),
            expect.closeTo(fresh, 9),
          ]);
        }
      }),
    );
  });

  test("fresh coverage is from 0 to the coverage, and only falls as time passes, while scores stay", () => {
    fc.assert(
      fc.property(cards, reported, fc.nat({ max: 400 * 3_600_000 }), (registered, scores, later) => {
        const now = valuesOf(rollUp(registered, scores, at));
        const then = valuesOf(rollUp(registered, scores, new Date(at.getTime() + later)));
        expect([...then.keys()]).toEqual([...now.keys()]);
        for (const [id, [score, coverage, fresh]] of now) {
          const [laterScore, laterCoverage, laterFresh] = then.get(id) ?? [];
          expect([laterScore, laterCoverage]).toEqual([score, coverage]);
          expect(fresh).toBeGreaterThanOrEqual(0);
          expect(fresh).toBeLessThanOrEqual(coverage);
          expect(laterFresh).toBeLessThanOrEqual(fresh);
        }
      }),
    );
  });

  test("where nothing ages, fresh coverage is the coverage", () => {
    const ageless = cards.map((some) =>
      some.map((one) => ({ ...one, metrics: one.metrics.map(({ maxAgeHours: _, ...rest }) => rest) })),
    );
    fc.assert(
      fc.property(ageless, reported, (registered, scores) => {
        for (const [, coverage, fresh] of valuesOf(rollUp(registered, scores, at)).values())
          expect(fresh).toBe(coverage);
      }),
    );
  });
});

type Values = [score: number, coverage: number, freshCoverage: number];

/** By the labels of a level, joined. */
function valuesOf({ apps, teams, areas }: RollUp): Map<string, Values> {
  return new Map([
    ...apps.flatMap(({ area, team, app, env, scorecards, ...values }) => [
      entry(["app", area, team, app, env], values),
      ...scorecards.map((one) => entry(["scorecard", area, team, app, env, one.scorecard], one)),
    ]),
    ...teams.map((one) => entry(["team", one.area, one.team, one.env], one)),
    ...areas.map((one) => entry(["area", one.area, one.env], one)),
  ]);

  function entry(labels: string[], one: Omit<RollUp["areas"][number], "area" | "env" | "waived" | "count" | "lowest">) {
    return [labels.join(), [one.score, one.coverage, one.freshCoverage] satisfies Values] as [string, Values];
  }
}

/** The definition as it is written down, level by level, each by looking through all that is below it. */
function byDefinition(registered: readonly Scorecard[], scores: readonly ScoreRecord[]): Map<string, Values> {
  const values = new Map<string, Values>();
  const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
  const mean = (all: readonly Values[]): Values => {
    const of = (index: 0 | 1 | 2) => total(all.map((one) => one[index])) / all.length;
    return [of(0), of(1), of(2)];
  };
  for (const { area, team, app, env } of scores) {
    const own = scores.filter((one) => [one.area, one.team, one.app, one.env].join() === [area, team, app, env].join());
    const whole = total(registered.map(({ weight }) => weight));
    const parts = registered.flatMap(({ name, weight, metrics }) => {
      const all = total(metrics.map((metric) => metric.weight));
      const found = metrics.flatMap((metric) => {
        const one = own.find((record) => record.scorecard === name && record.metric === metric.name);
        return one ? [{ metric, one }] : [];
      });
      if (found.length === 0) return [];
      const sums: Values = [
        total(found.map(({ metric, one }) => metric.weight * one.score)) / total(found.map((x) => x.metric.weight)),
        total(found.map(({ metric }) => metric.weight)) / all,
        total(
          found
            .filter(({ metric, one }) => {
              const { maxAgeHours = Number.POSITIVE_INFINITY } = metric;
              const age = at.getTime() - new Date(one.reported_at).getTime();
              return age <= 2 * maxAgeHours * 3_600_000;
            })
            .map(({ metric }) => metric.weight),
        ) / all,
      ];
      values.set(["scorecard", area, team, app, env, name].join(), sums);
      return [{ weight, sums }];
    });
    if (parts.length === 0) continue;
    values.set(["app", area, team, app, env].join(), [
      total(parts.map(({ weight, sums }) => weight * sums[0])) / total(parts.map(({ weight }) => weight)),
      total(parts.map(({ weight, sums }) => weight * sums[1])) / whole,
      total(parts.map(({ weight, sums }) => weight * sums[2])) / whole,
    ]);
  }
  const keys = [...values.keys()].filter((id) => id.startsWith("app,")).map((id) => id.split(","));
  for (const [, area = "", team = "", , env = ""] of keys) {
    const apps = keys.filter((key) => key[1] === area && key[2] === team && key[4] === env);
    values.set(["team", area, team, env].join(), mean(apps.map((key) => values.get(key.join()) ?? [0, 0, 0])));
  }
  for (const [, area = "", , , env = ""] of keys) {
    const teams = [...values].filter(([id]) => id.startsWith(`team,${area},`) && id.endsWith(`,${env}`));
    values.set(["area", area, env].join(), mean(teams.map(([, one]) => one)));
  }
  return values;
}
