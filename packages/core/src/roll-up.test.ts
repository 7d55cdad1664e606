import { describe, expect, test } from "vitest";
import { weighted } from "../test/scorecards.ts";
import { excludedMetrics, type RollUp, rollUp, rollUpApp, type ScoreRecord } from "./index.ts";
import { rollUpInOrder } from "./wire.ts";

const security = weighted("security", 30, { image_scan: 25, secret_scan: 75 });
const reliability = weighted("reliability", 10, { sla: 1, mttr: 1 });
const scorecards = [security, reliability];

/** The time of every reading. */
const at = new Date("2026-03-01T12:00:00Z");

const home = { area: "retail", team: "basket", app: "checkout", env: "prod" };

/** A score of `metric`, written `security.image_scan`. */
function record(metric: string, score: number, key: Partial<ScoreRecord> = {}): ScoreRecord {
  const [scorecard = "", name = ""] = metric.split(".");
  return { ...home, scorecard, metric: name, score, reported_at: at, ...key };
}

const everything = (score: number, key: Partial<ScoreRecord> = {}): ScoreRecord[] =>
  ["security.image_scan", "security.secret_scan", "reliability.sla", "reliability.mttr"].map((metric) =>
    record(metric, score, key),
  );

const appOf = (...scores: ScoreRecord[]) => rollUp(scorecards, scores, at).apps[0];

describe("an application", () => {
  test("of which everything reported", () => {
    const app = appOf(
      record("security.image_scan", 40),
      record("security.secret_scan", 80),
      record("reliability.sla", 100),
      record("reliability.mttr", 50),
    );
    // security (25·40 + 75·80) / 100 = 70; reliability (100 + 50) / 2 = 75; app (30·70 + 10·75) / 40 = 71.25
    expect(app).toEqual({
      ...home,
      score: 71.25,
      reported: 1,
      fresh: 1,
      waived: 0,
      exempt: 0,
      scorecards: [
        { scorecard: "security", score: 70, reported: 1, fresh: 1, waived: 0, exempt: 0 },
        { scorecard: "reliability", score: 75, reported: 1, fresh: 1, waived: 0, exempt: 0 },
      ],
    });
  });

  test("of which one metric reported", () => {
    // A quarter of security's weight, which is three quarters of all.
    expect(appOf(record("security.image_scan", 40))).toEqual({
      ...home,
      score: 40,
      reported: 0.1875,
      fresh: 0.1875,
      waived: 0,
      exempt: 0,
      scorecards: [{ scorecard: "security", score: 40, reported: 0.25, fresh: 0.25, waived: 0, exempt: 0 }],
    });
  });

  test("the weight of what did not report goes to what did", () => {
    // security 80 from secret_scan alone; reliability (90 + 50) / 2 = 70; app (30·80 + 10·70) / 40 = 77.5
    expect(
      appOf(record("security.secret_scan", 80), record("reliability.sla", 90), record("reliability.mttr", 50)),
    ).toMatchObject({
      score: 77.5,
      reported: 0.8125,
      fresh: 0.8125,
      scorecards: [
        { scorecard: "security", score: 80, reported: 0.75, fresh: 0.75 },
        { scorecard: "reliability", score: 70, reported: 1, fresh: 1 },
      ],
    });
  });

  test("a score of 0 counts; it is not silence", () => {
    expect(appOf(record("security.image_scan", 0), record("security.secret_scan", 100))).toMatchObject({
      score: 75,
      reported: 0.75,
      fresh: 0.75,
    });
    expect(appOf(record("security.image_scan", 0))).toMatchObject({
      score: 0,
      reported: 0.1875,
      fresh: 0.1875,
    });
  });

  test("lists its scorecards in the order of the engine", () => {
    const app = appOf(record("reliability.sla", 1), record("security.image_scan", 2));
    expect(app?.scorecards.map(({ scorecard }) => scorecard)).toEqual(["security", "reliability"]);
  });

  test("of two scores with one key the later counts", () => {
    expect(appOf(record("reliability.sla", 10), record("reliability.sla", 90))).toMatchObject({ score: 90 });
    expect(appOf(record("reliability.sla", 90), record("reliability.sla", 10))).toMatchObject({ score: 10 });
  });

  test.each(["security.fuzzing", "cost.spend", "security.__proto__", "constructor.sla", "security/image_scan.x"])(
    "a score of %s, which is not installed, is ignored",
    (metric) => {
      const sla = record("reliability.sla", 50);
      expect(rollUp(scorecards, [sla, record(metric, 100)], at)).toEqual(rollUp(scorecards, [sla], at));
      expect(rollUp(scorecards, [record(metric, 100)], at)).toEqual({ apps: [], teams: [], areas: [] });
    },
  );
});

describe("environments are never mixed", () => {
  const rolled = rollUp(scorecards, [...everything(90), ...everything(10, { env: "staging" })], at);

  test.each(["apps", "teams", "areas"] as const)("%s", (level) => {
    expect(rolled[level].map(({ env, score }) => ({ env, score }))).toEqual([
      { env: "prod", score: 90 },
      { env: "staging", score: 10 },
    ]);
  });
});

describe("teams and areas", () => {
  const scores = [
    ...everything(100, { app: "a" }),
    record("security.image_scan", 40, { app: "b" }),
    ...everything(10, { team: "search", app: "c" }),
    ...everything(30, { team: "search", app: "d" }),
    ...everything(50, { team: "search", app: "e" }),
    ...everything(70, { team: "search", app: "f" }),
    ...everything(5, { area: "bank" }),
  ];
  const rolled = rollUp(scorecards, scores, at);

  test("a team is the plain average of its applications, however little of them reported", () => {
    expect(rolled.teams).toEqual([
      // share reported (1 + 0.1875) / 2
      {
        area: "retail",
        team: "basket",
        env: "prod",
        score: 70,
        reported: 0.593_75,
        fresh: 0.593_75,
        waived: 0,
        exempt: 0,
        count: 2,
        lowest: 40,
      },
      {
        area: "retail",
        team: "search",
        env: "prod",
        score: 40,
        reported: 1,
        fresh: 1,
        waived: 0,
        exempt: 0,
        count: 4,
        lowest: 10,
      },
      {
        area: "bank",
        team: "basket",
        env: "prod",
        score: 5,
        reported: 1,
        fresh: 1,
        waived: 0,
        exempt: 0,
        count: 1,
        lowest: 5,
      },
    ]);
  });

  test("an area is the plain average of its teams, however many applications they have", () => {
    expect(rolled.areas).toEqual([
      {
        area: "retail",
        env: "prod",
        score: 55,
        reported: 0.796_875,
        fresh: 0.796_875,
        waived: 0,
        exempt: 0,
        count: 2,
        lowest: 40,
      },
      { area: "bank", env: "prod", score: 5, reported: 1, fresh: 1, waived: 0, exempt: 0, count: 1, lowest: 5 },
    ]);
  });
});

describe("input", () => {
  const empty: RollUp = { apps: [], teams: [], areas: [] };

  test("nothing gives nothing", () => {
    expect(rollUp(scorecards, [], at)).toEqual(empty);
    expect(rollUp([], everything(50), at)).toEqual(empty);
  });

  test("may be a generator, read once", () => {
    function* scores() {
      yield* everything(50);
    }
    expect(rollUp(scorecards, scores(), at)).toEqual(rollUp(scorecards, everything(50), at));
  });

  test("is not changed", () => {
    const frozen = Object.freeze(everything(50).map((one) => Object.freeze(one)));
    expect(rollUp(Object.freeze(scorecards), frozen, at).apps).toHaveLength(1);
  });

  test.each([
    ["a separator", ["a/b", "c"], ["a", "b/c"]],
    ["a comma", ["a,b", "c"], ["a", "b,c"]],
    ["quotes", ['a","b', "c"], ["a", 'b","c']],
    ["a backslash", ["a\\", '"b'], ['a\\"', "b"]],
    ["prototype names", ["__proto__", "constructor"], ["constructor", "__proto__"]],
    ["emoji and their halves", ["👩‍👩‍👧", "\ud83d"], ["\ud83d", "👩‍👩‍👧"]],
    ["escapes and what they stand for", ["\\ud83d", "x"], ["\ud83d", "x"]],
    ["forms of one letter", ["é", "x"], ["e\u0301", "x"]],
    ["letter case", ["A", "x"], ["a", "x"]],
  ])("keeps names apart that look alike: %s", (_, one, other) => {
    const scores = [one, other].flatMap(([team = "", app = ""], index) => everything(index * 100, { team, app }));
    const { apps } = rollUp(scorecards, scores, at);
    expect(apps.map(({ team, app, score }) => [team, app, score])).toEqual([
      [...one, 0],
      [...other, 100],
    ]);
  });
});

describe("one application", () => {
  const own = [weighted("cost", 1, { spend: 1, idle: 3 }), weighted("speed", 1, { lead_time: 1 })] as const;
  const reported = (score: number) => ({ score, reported_at: at });
  const half = { score: 40, reported: 0.125, fresh: 0.125, waived: 0, exempt: 0 };

  test("is given by the names of its metrics, whatever their order", () => {
    const scores = { "speed.lead_time": reported(0), "cost.idle": reported(80), "cost.spend": reported(40) };
    expect(rollUpApp(own, scores, at)).toMatchObject({ score: 35, reported: 1 });
    expect(rollUpApp(own, { "cost.spend": reported(40) }, at)).toMatchObject(half);
    expect(rollUpApp(own, { "cost.spend": reported(40), "cost.idle": undefined }, at)).toMatchObject(half);
    expect(rollUpApp(own, {}, at)).toBeUndefined();
  });

  test("has no metric of another name, and none that is inherited", () => {
    expect(() => rollUpApp(own, { "cost.spent": reported(40) }, at)).toThrow(
      expect.objectContaining({
        code: "unknown-metric",
        message: 'there is no metric named "cost.spent"; installed: cost.spend, cost.idle, speed.lead_time',
        details: [{ path: "cost.spent", message: expect.stringContaining('named "cost.spent"') }],
      }),
    );
    expect(rollUpApp(own, Object.create({ "cost.spend": reported(40) }), at)).toBeUndefined();
  });

  test("leaves out what is waived, by name", () => {
    const scores = { "cost.spend": reported(40), "cost.idle": reported(80) };
    expect(rollUpApp(own, scores, at, new Set(["cost.idle"]))).toMatchObject({ score: 40, waived: 0.375 });
    const waiver = { area: "a", created_at: at, scorecard: "cost", metric: "spend" };
    const waived = excludedMetrics(own, [waiver]);
    expect([...waived]).toEqual([["cost.spend", waiver]]);
    expect(rollUpApp(own, scores, at, waived)).toMatchObject({ score: 80, waived: 0.125 });
  });

  test("needs no waivers, and a scorecard without metrics is no part of it", () => {
    const some = [weighted("empty", 5, {}), weighted("cost", 1, { spend: 1 })];
    expect(rollUpApp(some, { "cost.spend": reported(40) }, at)).toEqual({
      ...{ score: 40, reported: 1, fresh: 1, waived: 0, exempt: 0 },
      scorecards: [{ scorecard: "cost", score: 40, reported: 1, fresh: 1, waived: 0, exempt: 0 }],
    });
  });

  test("in the order of the metrics has one entry for each, and one for each that is waived or none at all", () => {
    const three = [reported(40), undefined, undefined];
    expect(rollUpInOrder(own, three, at)).toMatchObject(half);
    expect(rollUpInOrder(own, three, at, [undefined, {}, undefined])).toMatchObject({ score: 40, waived: 0.375 });
    for (const length of [0, 2, 4]) {
      const other = Array.from({ length }, () => reported(40));
      expect(() => rollUpInOrder(own, other, at)).toThrow(new RangeError(`there are ${length} entries for 3 metrics`));
      if (length > 0) {
        expect(() => rollUpInOrder(own, three, at, other)).toThrow(`there are ${length} entries for 3 metrics`);
      }
    }
  });
});
