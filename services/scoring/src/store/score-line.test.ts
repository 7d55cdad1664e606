import fc from "fast-check";
import { expect, test } from "vitest";
import { type Change, fillIn, type PastEvidence } from "./score-line.ts";

const change = (at: number, score: number, former: number | null, formerAt: number | null): Change => ({
  ...{ at, score, former, formerAt },
  ...{ scorer: "s", cause: "report" },
});

/** 50 at 10, confirmed until 20; 80 from 40 on. */
const line = [change(10, 50, null, null), change(40, 80, 50, 20)];

const evidence = (at: number, score: number): PastEvidence => ({ at, score, scorer: "s" });

const shown = (changes: readonly Change[]) => changes.map(({ at, former, score }) => [at, former, score]);

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
    ],
  ],
])("past evidence %s", (_, at, score, expected) => {
  expect(shown(fillIn(line, evidence(at, score)).changes)).toEqual(expected);
});

test("a confirmation moves the end of a gap", () => {
  const { changes } = fillIn(line, evidence(30, 50));
  expect(shown(fillIn(changes, evidence(25, 60)).changes)).toEqual(shown(line));
  expect(shown(fillIn(changes, evidence(35, 60)).changes)).toEqual([
    [10, null, 50],
    [35, 50, 60],
    [40, 60, 80],
  ]);
});

test("of two results of one time the later arrival counts", () => {
  const filled = fillIn(fillIn(line, evidence(30, 60)).changes, evidence(30, 70));
  expect(shown(filled.changes)).toEqual([
    [10, null, 50],
    [30, 50, 70],
    [40, 70, 80],
  ]);
  expect(filled.rewritten).toEqual({ from: 30, to: 40 });
  expect(shown(fillIn(filled.changes, evidence(30, 50)).changes)).toEqual(shown(line));
});

test("every change has the score before it, and no known result becomes another one", () => {
  const score = fc.integer({ min: 0, max: 3 }).map((quarter) => quarter * 25);
  const time = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.array(fc.tuple(time, score), { minLength: 1, maxLength: 20 }), score, (all, latest) => {
      let changes: readonly Change[] = [change(100, latest, null, null)];
      const known = new Map([[100, latest]]);
      for (const [at, score] of all) {
        const before = valueAt(changes, at);
        ({ changes } = fillIn(changes, evidence(at, score)));
        if (valueAt(changes, at) === score && before !== score) known.set(at, score);
        for (const [time, expected] of known) expect(valueAt(changes, time)).toBe(expected);
        for (const [index, { at, former, formerAt }] of changes.entries()) {
          const previous = changes[index - 1];
          expect(former).toBe(previous?.score ?? null);
          if (previous) expect(previous.at <= (formerAt ?? previous.at) && (formerAt ?? 0) < at).toBe(true);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

/** The score at a time, of which the history says that it is the `former` of the first later change. */
function valueAt(changes: readonly Change[], at: number): number | null | undefined {
  return changes.findLast((change) => change.at <= at)?.score;
}
