import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Level, LevelFacts } from "./level-conditions.ts";
import { type AppLevel, type Lacks, lacksOf, levelFacts, levelOf } from "./levels.ts";
import type { Scorecard } from "./scorecard.ts";
import { severities } from "./severity.ts";

const levels: readonly Level[] = [
  { name: "bronze", minScore: 50, minFresh: 0.5 },
  { name: "silver", minScore: 70, minFresh: 0.75, scorecards: { security: 60 } },
  {
    ...{ name: "gold", minScore: 85, minFresh: 0.9, maxWaived: 0.2 },
    ...{ metrics: { "security.secret_scan": 100 }, noOpenProblems: "high" },
  },
];

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** An application that has every level. */
const best = { score: 90, fresh: 0.95, waived: 0, scorecards: [cardOf("security", 80)] };
const facts: LevelFacts = { scores: new Map([["security.secret_scan", 100]]), excluded: new Set(), problems: none };

function cardOf(scorecard: string, score: number) {
  return { scorecard, score, reported: 1, fresh: 1, waived: 0, exempt: 0 };
}

type Change = Partial<typeof best> & { readonly facts?: Partial<LevelFacts> };

test.each<[Change, rank: number, unmet: string | null]>([
  [{}, 3, null],
  [{ score: 49.99 }, 0, "bronze needs score 50, has 49.9"],
  [{ score: 50 }, 1, "silver needs score 70, has 50"],
  [{ score: 0 }, 0, "bronze needs score 50, has 0"],
  [{ fresh: 0.6 }, 1, "silver needs share fresh 75 %, has 60 %"],
  [{ score: 60, fresh: 0.6 }, 1, "silver needs score 70, has 60"],
  [{ score: 84.9999 }, 2, "gold needs score 85, has 84.9"],
  [{ score: 59.996 }, 1, "silver needs score 70, has 60"],
  [{ score: 85 - 1e-12 }, 3, null],
  [{ score: 85 - 1e-9 }, 3, null],
  [{ fresh: 0.7 + 0.2 - 1e-16 }, 3, null],
  [{ scorecards: [cardOf("security", 59.5)] }, 1, "silver needs security 60, has 59.5"],
  [{ scorecards: [] }, 1, "silver needs security 60, has reported nothing of it"],
  [{ scorecards: [], facts: { excluded: new Set(["security"]) } }, 3, null],
  [{ facts: { scores: new Map() } }, 2, "gold needs security.secret_scan 100, has never reported it"],
  [{ facts: { scores: new Map([["security.secret_scan", 0]]) } }, 2, "gold needs security.secret_scan 100, has 0"],
  [{ facts: { scores: new Map(), excluded: new Set(["security.secret_scan"]) } }, 3, null],
  [{ facts: { problems: { ...none, high: 2 } } }, 2, "gold needs no open problem that is critical or high, has 2"],
  [
    { facts: { problems: { ...none, critical: 1, high: 2 } } },
    2,
    "gold needs no open problem that is critical or high, has 3",
  ],
  [{ facts: { problems: { ...none, medium: 9 } } }, 3, null],
  [{ waived: 0.2 }, 3, null],
  [{ waived: 0.2 + 1e-9 }, 3, null],
  [{ waived: 0.2001 }, 2, "gold needs at most 20 % waived, has 21 %"],
  [{ waived: 0.775 }, 2, "gold needs at most 20 % waived, has 78 %"],
  [{ waived: 0.35 }, 2, "gold needs at most 20 % waived, has 35 %"],
])("%j has rank %d, %s", ({ facts: changed = {}, ...app }, rank, unmet) => {
  const name = levels[rank - 1]?.name ?? null;
  const next = unmet === null ? null : { name: levels[rank]?.name, unmet };
  expect(levelOf({ ...best, ...app }, { ...facts, ...changed }, levels)).toEqual({ rank, name, next });
});

test.each<[Change, rank: number, lacks: readonly (readonly [kind: string, missing: number, text: string])[] | null]>([
  [{}, 3, []],
  [{}, 4, null],
  [{}, 0, null],
  [{ score: 60, fresh: 0.6 }, 1, []],
  [
    { score: 60, fresh: 0.6 },
    2,
    [
      ["score", 10, "needs score 70, has 60"],
      ["fresh", 15, "needs share fresh 75 %, has 60 %"],
    ],
  ],
  [
    { score: 40, fresh: 0.6 },
    3,
    [
      ["score", 45, "needs score 85, has 40"],
      ["fresh", 30, "needs share fresh 90 %, has 60 %"],
    ],
  ],
  [{ scorecards: [] }, 2, [["scorecard", 60, "needs security 60, has reported nothing of it"]]],
  [
    { waived: 0.35, facts: { scores: new Map([["security.secret_scan", 0]]), problems: { ...none, high: 2 } } },
    3,
    [
      ["metric", 100, "needs security.secret_scan 100, has 0"],
      ["problems", 2, "needs no open problem that is critical or high, has 2"],
      ["waived", 15, "needs at most 20 % waived, has 35 %"],
    ],
  ],
])("%j lacks for rank %d %j", ({ facts: changed = {}, ...app }, rank, expected) => {
  const lacks = lacksOf({ ...best, ...app }, { ...facts, ...changed }, levels, rank);
  if (expected === null) {
    expect(lacks).toBeNull();
    return;
  }
  const conditions = expected.map(([kind, missing, text]) =>
    expect.objectContaining({ kind, text, missing: expect.closeTo(missing, 9) }),
  );
  const missing = expected.reduce((sum, [, missing]) => sum + missing, 0);
  expect(lacks).toEqual<Lacks>({
    level: levels[rank - 1]?.name ?? "",
    conditions,
    missing: expect.closeTo(missing, 9),
  });
});

test("without levels there is none", () => {
  expect(levelOf(best, facts, [])).toBeNull();
});

const one = (name: string, metrics: readonly string[]) =>
  ({ name, metrics: metrics.map((metric) => ({ name: metric })) }) as unknown as Scorecard;

test("scorecards are read once for all applications", () => {
  let reads = 0;
  const counted = {
    ...one("security", []),
    get metrics() {
      reads++;
      return one("security", ["sast"]).metrics;
    },
  };
  const scorecards = [counted];
  for (const score of [10, 20]) {
    expect(levelFacts(scorecards, [{ score, reported_at: 0 }], [], none).scores.get("security.sast")).toBe(score);
  }
  expect(reads).toBe(1);
});

test.each<[string, number, number]>([
  ["too few scores", 1, 0],
  ["too many scores", 3, 0],
  ["too few waived", 2, 1],
  ["too many waived", 2, 3],
])("facts of %s are refused", (_, scores, waived) => {
  const scorecards = [one("security", ["sast", "dast"])];
  const facts = () => levelFacts(scorecards, Array(scores).fill(undefined), Array(waived).fill(undefined), none);
  expect(facts).toThrow(new RangeError(`there are ${waived || scores} entries for 2 metrics`));
});

test("facts name what counts and what is waived, by metric and by whole scorecard", () => {
  const scorecards = [one("security", ["sast", "dast"]), one("cost", ["budget"])];
  const at = new Date();
  const scores = [undefined, { score: 20, reported_at: at }, { score: 30, reported_at: at }];
  const metrics = ["security.sast", "security.dast", "cost.budget", "cost.rent"];
  const names = ["security", "cost", ...metrics];
  const found = (waived: readonly (object | undefined)[]) => {
    const facts = levelFacts(scorecards, scores, waived, none);
    return {
      scores: metrics.map((name) => facts.scores.get(name)),
      waived: names.filter((name) => facts.excluded.has(name)),
    };
  };
  expect(found([])).toEqual({ scores: [undefined, 20, 30, undefined], waived: [] });
  expect(found([undefined, {}, {}])).toEqual({
    scores: [undefined, undefined, undefined, undefined],
    waived: ["cost", "security.dast", "cost.budget"],
  });
});

describe("whatever the application and the levels", () => {
  const score = fc.integer({ min: 0, max: 20 }).map((value) => value * 5);
  const share = fc.integer({ min: 0, max: 10 }).map((value) => value / 10);
  const names = ["security.sast", "security.dast"];
  const app = fc.record({
    ...{ score, fresh: share, waived: share },
    scorecards: fc.uniqueArray(fc.tuple(fc.constantFrom("security", "cost"), score), { selector: ([name]) => name }),
    scores: fc.dictionary(fc.constantFrom(...names), score).map((found) => new Map(Object.entries(found))),
    waivedNames: fc.subarray([...names, "security", "cost"]).map((found) => new Set(found)),
    problems: fc.record({ critical: fc.nat(2), high: fc.nat(2), medium: fc.nat(2), low: fc.nat(2), info: fc.nat(2) }),
  });
  const level = fc.record(
    {
      ...{ name: fc.string(), minScore: score, minFresh: share, maxWaived: share },
      scorecards: fc.dictionary(fc.constantFrom("security", "cost"), score),
      metrics: fc.dictionary(fc.constantFrom(...names), score),
      noOpenProblems: fc.constantFrom(...severities),
    },
    { requiredKeys: ["name"] },
  );
  type Made = typeof app extends fc.Arbitrary<infer One> ? One : never;
  const of = ({ scores, waivedNames, problems, scorecards, ...rest }: Made, levels: readonly Level[]) =>
    levelOf(
      { ...rest, scorecards: scorecards.map(([name, value]) => cardOf(name, value)) },
      { scores, excluded: waivedNames, problems },
      levels,
    ) as AppLevel;

  test("a level is reached exactly if it is alone, and so is each below it", () => {
    fc.assert(
      fc.property(app, fc.array(level, { minLength: 1, maxLength: 5 }), (one, levels) => {
        const { rank, name, next } = of(one, levels);
        const first = levels.findIndex((each) => of(one, [each]).rank === 0);
        expect(rank).toBe(first === -1 ? levels.length : first);
        expect(name).toBe(rank === 0 ? null : levels[rank - 1]?.name);
        expect(next).toEqual(first === -1 ? null : of(one, [levels[first] as Level]).next);
      }),
    );
  });

  test("nothing that gets better takes a level away", () => {
    fc.assert(
      fc.property(app, fc.array(level, { minLength: 1, maxLength: 5 }), (one, levels) => {
        const before = of(one, levels).rank;
        const better: Partial<Made>[] = [
          { score: 100 },
          { fresh: 1 },
          { waived: 0 },
          {
            scorecards: [
              ["security", 100],
              ["cost", 100],
            ],
          },
          { scores: new Map(names.map((name) => [name, 100])) },
          { problems: none },
        ];
        for (const change of better) expect(of({ ...one, ...change }, levels).rank).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});
