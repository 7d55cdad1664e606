import { describe, expect, test } from "vitest";
import { metricWith, scorecardWith } from "../test/scorecards.ts";
import { rollUp, type ScoreRecord } from "./index.ts";

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

  test("keeps its score and its share reported, and has a lower share fresh", () => {
    // security (40 + 3·80) / 4 = 70, of which sast, a quarter, is fresh; app (3·70 + 60) / 4, fresh (3·0.25 + 1) / 4
    expect(rollUp(scorecards, scores, at).apps[0]).toEqual({
      ...home,
      score: 67.5,
      reported: 1,
      fresh: 0.4375,
      waived: 0,
      exempt: 0,
      scorecards: [
        { scorecard: "security", score: 70, reported: 1, fresh: 0.25, waived: 0, exempt: 0 },
        { scorecard: "cost", score: 60, reported: 1, fresh: 1, waived: 0, exempt: 0 },
      ],
    });
  });

  test("was all fresh a moment before: twice the age is late, not stale", () => {
    const moment = new Date(at.getTime() - 3_600);
    expect(rollUp(scorecards, scores, moment).apps[0]).toMatchObject({ score: 67.5, reported: 1, fresh: 1 });
  });

  test("has a share fresh of 0 when all of it is stale, and still a score", () => {
    expect(rollUp(scorecards, [record("security.dast", 80, 49)], at).apps[0]).toMatchObject({
      score: 80,
      reported: 0.5625,
      fresh: 0,
      scorecards: [{ scorecard: "security", score: 80, reported: 0.75, fresh: 0 }],
    });
  });

  test("counts in the averages of its team and area, which average what they have", () => {
    const other = [
      record("security.sast", 100, 0, { app: "vouchers" }),
      record("cost.budget", 0, 0, { team: "search" }),
    ];
    const { teams, areas } = rollUp(scorecards, [...scores, ...other], at);
    // checkout 0.4375, vouchers 3·0.25 / 4 = 0.1875; search 0.25
    expect(teams.map(({ fresh }) => fresh)).toEqual([0.3125, 0.25]);
    expect(areas.map(({ fresh }) => fresh)).toEqual([0.281_25]);
  });
});

test("times may be texts as the service writes them", () => {
  const text = record("security.dast", 80, 0, { reported_at: "2026-02-27T11:59:59.999Z" });
  expect(rollUp(scorecards, [text], at).apps[0]).toMatchObject({ reported: 0.5625, fresh: 0 });
});

test("a time that is none is refused where it decides, and ignored where it does not", () => {
  const broken = { reported_at: "soon" };
  expect(() => rollUp(scorecards, [record("security.sast", 1, 0, broken)], at)).toThrow(
    new RangeError("a time must be a Date or a text such as 2026-01-31T12:00:00Z; got soon"),
  );
  const unaffected = [record("cost.budget", 1, 0, broken), record("security.gone", 1, 0, broken)];
  expect(rollUp(scorecards, unaffected, at).apps[0]).toMatchObject({ fresh: 0.25 });
});
