import { expect, test } from "vitest";
import { weighted } from "../test/scorecards.ts";
import { rollUpAllInOrder } from "./wire.ts";

const own = [weighted("cost", 1, { spend: 1, idle: 3 }), weighted("speed", 1, { lead_time: 1 })] as const;
const at = new Date("2026-03-01T12:00:00Z");
const [waived, exempt] = [{}, { exempt: "by a rule" }];
const none = [undefined, undefined, undefined];

function rolled(scores: Parameters<typeof rollUpAllInOrder>[1], ...excluded: (object | undefined)[]) {
  return rollUpAllInOrder(own, scores, at, excluded);
}

test("an application without a score has no shares of what counts", () => {
  expect(rolled(none)).toEqual({
    ...{ score: undefined, reported: 0, fresh: 0, waived: 0, exempt: 0 },
    ...{ scorecards: [], unscored: [] },
  });
});

test("a scorecard of which nothing counts has the shares of what is waived and exempt", () => {
  expect(rolled(none, waived, exempt, undefined)).toMatchObject({
    ...{ score: undefined, waived: 0.125, exempt: 0.375 },
    unscored: [{ scorecard: "cost", waived: 0.25, exempt: 0.75, isWhole: true }],
  });
});

test("a scorecard without a report is not whole", () => {
  expect(rolled(none, undefined, exempt, undefined).unscored).toEqual([
    { scorecard: "cost", waived: 0, exempt: 0.75, isWhole: false },
  ]);
});

test("a scorecard with a score is not among those without", () => {
  expect(rolled([{ score: 40, reported_at: at }, undefined, undefined], undefined, waived, waived)).toMatchObject({
    ...{ score: 40, waived: 0.875, scorecards: [{ scorecard: "cost", score: 40 }] },
    unscored: [{ scorecard: "speed", waived: 1, exempt: 0, isWhole: true }],
  });
});
