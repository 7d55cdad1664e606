import fc from "fast-check";
import { expect, test } from "vitest";
import { type Change, fillIn, type PastEvidence, type ScoreLine } from "./score-line.ts";

const change = (at: number, score: number, former: number | null, formerAt: number | null): Change => ({
  ...{ at, score, former, formerAt },
  ...{ scorer: "s", cause: "report" },
});

/** 50 at 10, confirmed at 14 and 20; 80 from 40 to 60. */
const line: ScoreLine = {
  changes: [change(10, 50, null, null), change(40, 80, 50, 20)],
  confirmed: [14],
  measuredAt: 60,
};

const evidence = (at: number, score: number): PastEvidence => ({ at, score, scorer: "s" });

const shown = ({ changes }: ScoreLine) => changes.map(({ at, former, score }) => [at, former, score]);

test.each<[name: string, at: number, score: number, expected: unknown[]]>([
  [
    "before the first result",
    5,
    30,
    [
      [5, null, 30],
      [10, 30, 50],
      [40, 50, 80],
    ],
  ],
  [
    "before the first result, with its score",
    5,
    50,
    [
      [5, null, 50],
      [40, 50, 80],
    ],
  ],
  [
    "between two results that confirm each other",
    15,
    30,
    [
      [10, null, 50],
      [15, 50, 30],
      [20, 30, 50],
      [40, 50, 80],
    ],
  ],
  [
    "between two results that confirm each other, with their score",
    12,
    50,
    [
      [10, null, 50],
      [40, 50, 80],
    ],
  ],
  [
    "in a gap",
    30,
    60,
    [
      [10, null, 50],
      [30, 50, 60],
      [40, 60, 80],
    ],
  ],
  [
    "in a gap, with the score before it",
    30,
    50,
    [
      [10, null, 50],
      [40, 50, 80],
    ],
  ],
  [
    "in a gap, with the score after it",
    30,
    80,
    [
      [10, null, 50],
      [30, 50, 80],
    ],
  ],
  [
    "while the last score was confirmed",
    50,
    10,
    [
      [10, null, 50],
      [40, 50, 80],
      [50, 80, 10],
      [60, 10, 80],
    ],
  ],
])("past evidence %s", (_, at, score, expected) => {
  expect(shown(fillIn(line, [evidence(at, score)]).line)).toEqual(expected);
});

test("of two results of one time the later arrival counts", () => {
  const { line: filled } = fillIn(fillIn(line, [evidence(30, 60)]).line, [evidence(30, 70)]);
  expect(shown(filled)).toEqual([
    [10, null, 50],
    [30, 50, 70],
    [40, 70, 80],
  ]);
  const back = fillIn(filled, [evidence(30, 50)]);
  expect(shown(back.line)).toEqual(shown(line));
  expect(back.rewritten).toEqual([{ from: 30, to: 40 }]);
});

test("the latest result takes the place of another one of its time", () => {
  const stored = { ...line, changes: [...line.changes, change(60, 20, 80, 55), change(61, 80, 20, 60)] };
  const { line: filled, rewritten } = fillIn(stored, [], 60);
  expect(shown(filled)).toEqual(shown(line));
  expect(rewritten).toEqual([{ from: 60, to: null }]);
});

test("what a replay or a merge did stays at its time", () => {
  const moved: Change = { ...change(40, 80, 50, 20), cause: "move" };
  const stored = { changes: [change(10, 50, null, null), moved], confirmed: [], measuredAt: 60 };
  expect(shown(fillIn(stored, [evidence(30, 80), evidence(40, 10)]).line)).toEqual([
    [10, null, 50],
    [30, 50, 80],
    [40, 80, 80],
  ]);
});

test("of a past whose beginning is deleted the score is known, and stays", () => {
  const stored = { changes: [change(40, 80, 50, 20)], confirmed: [14], measuredAt: 60 };
  expect(shown(fillIn(stored, [evidence(10, 50), evidence(15, 30)]).line)).toEqual([
    [15, 50, 30],
    [20, 30, 50],
    [40, 50, 80],
  ]);
});

test("another scorer that gives the score of the time makes no change of it", () => {
  const newer = { at: 16, score: 50, scorer: "newer" };
  expect(fillIn(line, [newer]).line.changes).toEqual(line.changes);
  expect(shown(fillIn(line, [{ ...newer, at: 5 }]).line)).toEqual([
    [5, null, 50],
    [40, 50, 80],
  ]);
});

test("the line has each result at its time, and is the same in whatever order and parts the results come", () => {
  const score = fc.integer({ min: 0, max: 3 }).map((quarter) => quarter * 25);
  const results = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), score), {
    ...{ minLength: 1, maxLength: 25, selector: ([at]) => at },
  });
  const parts = results.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: all.length, maxLength: all.length }),
    ),
  );
  fc.assert(
    fc.property(parts, score, ([all, shuffled, sizes], latest) => {
      const empty: ScoreLine = { changes: [change(100, latest, null, null)], confirmed: [], measuredAt: 100 };
      let line = empty;
      for (let first = 0, part = 0; first < shuffled.length; first += sizes[part++] ?? 1) {
        const sent = shuffled.slice(first, first + (sizes[part] ?? 1)).sort(([a], [b]) => a - b);
        line = fillIn(
          line,
          sent.map(([at, score]) => evidence(at, score)),
        ).line;
      }
      const known = [...all, [100, latest] as const].sort(([a], [b]) => a - b);
      const expected = known.flatMap(([at, score], index) => {
        const [formerAt, former] = known[index - 1] ?? [null, null];
        return score === former ? [] : [{ at, formerAt, former, score }];
      });
      expect(line.changes.map(({ scorer: _, cause: __, ...rest }) => rest)).toEqual(expected);
      const ends = new Set([100, ...expected.flatMap(({ at, formerAt }) => [at, formerAt])]);
      expect(line.confirmed).toEqual(known.map(([at]) => at).filter((at) => !ends.has(at)));
    }),
    { numRuns: 2_000 },
  );
});
