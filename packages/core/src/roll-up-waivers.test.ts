import { describe, expect, test } from "vitest";
import { weighted } from "../test/scorecards.ts";
import { isInForce, rollUp, type ScoreRecord, type Waiver } from "./index.ts";

const at = new Date("2026-03-01T12:00:00Z");
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);

const security = weighted("security", 30, { image_scan: 25, secret_scan: 75 });
const reliability = weighted("reliability", 10, { sla: 1, mttr: 1 });
const scorecards = [security, reliability];

const home = { area: "retail", team: "basket", app: "checkout", env: "prod" };

function record(full: string, score: number, key: Partial<ScoreRecord> = {}): ScoreRecord {
  const [scorecard = "", metric = ""] = full.split(".");
  return { ...home, scorecard, metric, score, reported_at: at, ...key };
}

const scores = [
  record("security.image_scan", 40),
  record("security.secret_scan", 80),
  record("reliability.sla", 100),
  record("reliability.mttr", 50),
];

/** A waiver that is in force, but for what is given. */
function waiver(changes: Partial<Waiver>): Waiver {
  return { area: "retail", created_at: later(-1), ...changes };
}

const appOf = (waivers: readonly Waiver[], reported = scores) => rollUp(scorecards, reported, at, waivers).apps[0];

describe("an application", () => {
  test("loses a waived metric from score and shares alike, and says how much is waived", () => {
    // security 80 of secret_scan alone, waived 25 of 100; reliability 75; app (30·80 + 10·75) / 40, waived 30·0.25 / 40
    expect(appOf([waiver({ scorecard: "security", metric: "image_scan" })])).toEqual({
      ...home,
      ...{ score: 78.75, reported: 1, fresh: 1, waived: 0.1875, exempt: 0 },
      scorecards: [
        { scorecard: "security", score: 80, reported: 1, fresh: 1, waived: 0.25, exempt: 0 },
        { scorecard: "reliability", score: 75, reported: 1, fresh: 1, waived: 0, exempt: 0 },
      ],
    });
  });

  test("has a higher share reported if the waived metric never reported", () => {
    const silent = scores.slice(1);
    expect(appOf([], silent)).toMatchObject({ reported: 0.8125, waived: 0 });
    expect(appOf([waiver({ scorecard: "security", metric: "image_scan" })], silent)).toMatchObject({
      ...{ score: 78.75, reported: 1, waived: 0.1875 },
    });
  });

  test("loses a scorecard that is waived whole, be it by one waiver or by one for each metric", () => {
    const whole = { ...{ score: 75, reported: 1, fresh: 1, waived: 0.75 } };
    const ofEach = ["image_scan", "secret_scan"].map((metric) => waiver({ scorecard: "security", metric }));
    for (const waivers of [[waiver({ scorecard: "security" })], ofEach]) {
      const app = appOf(waivers);
      expect(app).toMatchObject(whole);
      expect(app?.scorecards.map(({ scorecard }) => scorecard)).toEqual(["reliability"]);
    }
  });

  test("has no entry if nothing is left that reported, and its team does without it", () => {
    const others = [record("reliability.sla", 10, { app: "vouchers" })];
    const all = [
      waiver({ app: "checkout", team: "basket", scorecard: "security" }),
      waiver({ scorecard: "reliability", app: "checkout" }),
    ];
    const rolled = rollUp(scorecards, [...scores, ...others], at, all);
    expect(rolled.apps.map(({ app }) => app)).toEqual(["vouchers"]);
    expect(rolled.teams).toMatchObject([{ score: 10, count: 1, waived: 0 }]);
    // What is left of security did not report.
    const left = waiver({ scorecard: "reliability" });
    expect(rollUp(scorecards, scores.slice(2), at, [left])).toEqual({ apps: [], teams: [], areas: [] });
  });

  test("a waived share is averaged upward as the share reported is", () => {
    const reported = [
      ...scores,
      record("security.secret_scan", 10, { app: "vouchers" }),
      record("reliability.sla", 5, { team: "search" }),
    ];
    const { teams, areas } = rollUp(scorecards, reported, at, [waiver({ ...home, scorecard: "security" })]);
    expect(teams.map(({ waived }) => waived)).toEqual([0.375, 0]);
    expect(areas.map(({ waived }) => waived)).toEqual([0.1875]);
  });
});

const waived = { scorecard: "security" };
const withoutEffect: Readonly<Record<string, Waiver>> = {
  "of another area": waiver({ ...waived, area: "bank" }),
  "of another team": waiver({ ...waived, team: "search" }),
  "of another application": waiver({ ...waived, app: "vouchers" }),
  "of another environment": waiver({ ...waived, env: "dev" }),
  "of a scorecard that is not installed": waiver({ scorecard: "cost" }),
  "of a metric that is not installed": waiver({ ...waived, metric: "dast" }),
  "of a metric of another scorecard": waiver({ ...waived, metric: "sla" }),
  "of a problem": waiver({ problem_type: "terraform_secret" }),
  "that begins later": waiver({ ...waived, created_at: later(0.01) }),
  "that ends now": waiver({ ...waived, expires_at: at }),
  "that is revoked now": waiver({ ...waived, revoked_at: at, expires_at: later(9) }),
  "that is revoked but ended before": waiver({ ...waived, revoked_at: later(9), expires_at: later(-0.5) }),
};

test.each(Object.entries(withoutEffect))("a waiver %s changes nothing", (_, one) => {
  expect(rollUp(scorecards, scores, at, [one])).toEqual(rollUp(scorecards, scores, at));
});

const withEffect: Readonly<Record<string, Waiver>> = {
  "of the area": waiver(waived),
  "of the team": waiver({ ...waived, team: "basket" }),
  "of the application in this environment": waiver({ ...waived, ...home }),
  "with nulls for what it leaves out": waiver({
    ...waived,
    team: null,
    app: null,
    env: null,
    metric: null,
    problem_type: null,
    expires_at: null,
    revoked_at: null,
  }),
  "that begins now": waiver({ ...waived, created_at: at }),
  "that ends a moment later": waiver({ ...waived, expires_at: at.getTime() + 1 }),
  "with times as texts": waiver({
    ...waived,
    created_at: "2026-03-01T12:00:00Z",
    expires_at: "2026-03-01T12:00:00.001Z",
  }),
};

test.each(Object.entries(withEffect))("a waiver %s waives", (_, one) => {
  expect(rollUp(scorecards, scores, at, [one]).apps[0]).toMatchObject({ score: 75, waived: 0.75 });
});

test("a time of a waiver that is none is refused", () => {
  expect(() => isInForce(waiver({ expires_at: "soon" }), at)).toThrow(RangeError);
  expect(() => rollUp(scorecards, [], at, [waiver({ created_at: "ages ago" })])).toThrow(RangeError);
});
