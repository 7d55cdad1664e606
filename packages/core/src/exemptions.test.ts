import { expect, test } from "vitest";
import { weighted } from "../test/scorecards.ts";
import {
  type AppliesFacts,
  type AppliesRule,
  excludedMetrics,
  findExemptions,
  rollUp,
  rollUpApp,
  type ScoreRecord,
} from "./index.ts";

const at = new Date("2026-03-01T12:00:00Z");

const sla = { scorecard: "reliability", metric: "sla" };
const service: AppliesFacts = { env: "prod", tier: "1", labels: { kind: "service", public: "yes" } };
const batch: AppliesFacts = { env: "prod", tier: "3", labels: { kind: "batch" } };
const unregistered: AppliesFacts = { env: "prod" };

test.each<[what: string, rule: Omit<AppliesRule, "scorecard">, facts: AppliesFacts, reason: string | undefined]>([
  ["a label that fits", { when: { labels: { kind: ["service"] } } }, service, undefined],
  ["another label", { when: { labels: { kind: ["service", "job"] } } }, batch, "not for kind=batch, by policy"],
  ["a label that is missing", { when: { labels: { public: ["yes"] } } }, batch, "not without public, by policy"],
  ["a label of every object", { when: { labels: { toString: ["x"] } } }, batch, "not without toString, by policy"],
  ["a tier that fits", { when: { tier: ["1", "2"] } }, service, undefined],
  ["another tier", { when: { tier: ["1", "2"] } }, batch, "not for tier=3, by policy"],
  ["no tier", { when: { tier: ["1"] } }, { ...batch, tier: null }, "not without tier, by policy"],
  ["another environment", { when: { env: ["dev"] } }, service, "not for env=prod, by policy"],
  ["one of two", { when: { tier: ["1"], labels: { kind: ["job"] } } }, service, "not for kind=service, by policy"],
  [
    "`when` of an unregistered one",
    { when: { labels: { kind: ["service"] } } },
    unregistered,
    "not without kind, by policy",
  ],
  ["`unless` of an unregistered one", { unless: { labels: { kind: ["library"] } } }, unregistered, undefined],
  ["`unless` that fits", { unless: { labels: { kind: ["batch"] } } }, batch, "not for kind=batch, by policy"],
  ["`unless` that fits in part", { unless: { tier: ["3"], env: ["dev"] } }, batch, undefined],
  [
    "`unless` that fits in two",
    { unless: { tier: ["3"], labels: { kind: ["batch"] } } },
    batch,
    "not for tier=3 kind=batch, by policy",
  ],
  [
    "`unless` beside `when`",
    { when: { tier: ["1"] }, unless: { env: ["prod"] } },
    service,
    "not for env=prod, by policy",
  ],
  ["empty conditions", { when: {}, unless: {} }, unregistered, undefined],
  ["a day to come", { from: "2026-03-02" }, service, "counts from 2026-03-02, by policy"],
  ["this day", { from: "2026-03-01" }, service, undefined],
  ["a day to come for others", { when: { tier: ["1"] }, from: "2026-03-02" }, batch, "not for tier=3, by policy"],
])("%s", (_, rule, facts, reason) => {
  const exempt = reason?.startsWith("counts") ? "announced" : "not_applicable";
  const expected = reason === undefined ? [] : [{ ...sla, exempt, reason }];
  expect(findExemptions([{ ...sla, ...rule }], facts, at)).toEqual(expected);
});

test("each of several rules must let a metric apply, and what does not apply comes before what is announced", () => {
  const rules = [
    { scorecard: "reliability", from: "2026-03-02" },
    { ...sla, when: { tier: ["3"] } },
    { ...sla, unless: { labels: { kind: ["batch"] } } },
  ];
  expect(findExemptions(rules, batch, at).map(({ metric, exempt }) => [metric, exempt])).toEqual([
    ["sla", "not_applicable"],
    [undefined, "announced"],
  ]);
});

test("a day that is none is refused", () => {
  expect(() => findExemptions([{ ...sla, from: "soon" }], service, at)).toThrow(RangeError);
});

const scorecards = [
  weighted("security", 30, { image_scan: 25, secret_scan: 75 }),
  weighted("reliability", 10, { sla: 1, mttr: 1 }),
];
const home = { area: "retail", team: "basket", app: "checkout", env: "prod" };

function record(full: string, score: number): ScoreRecord {
  const [scorecard = "", metric = ""] = full.split(".");
  return { ...home, scorecard, metric, score, reported_at: at };
}

const scores = [record("security.image_scan", 40), record("security.secret_scan", 80), record("reliability.sla", 100)];
const image = [{ scorecard: "security", metric: "image_scan", when: { env: ["dev"] } }];
const exemptionsOf = (rules: readonly AppliesRule[]) => () => findExemptions(rules, service, at);

test("what is exempt leaves score and shares, and has a share of its own; what is waived too is exempt alone", () => {
  const waiver = { ...home, scorecard: "security", metric: "image_scan", created_at: at };
  for (const waivers of [[], [waiver]]) {
    expect(rollUp(scorecards, scores, at, waivers, exemptionsOf(image)).apps).toEqual([
      {
        ...home,
        ...{ score: 85, reported: 0.875, fresh: 0.875, waived: 0, exempt: 0.1875 },
        scorecards: [
          { scorecard: "security", score: 80, reported: 1, fresh: 1, waived: 0, exempt: 0.25 },
          { scorecard: "reliability", score: 100, reported: 0.5, fresh: 0.5, waived: 0, exempt: 0 },
        ],
      },
    ]);
  }
});

test("a scorecard that is half waived and half exempt leaves the application, and both shares say by what", () => {
  const waiver = { ...home, scorecard: "security", metric: "secret_scan", created_at: at };
  const { apps, teams, areas } = rollUp(scorecards, scores, at, [waiver], exemptionsOf(image));
  for (const rolled of [apps, teams, areas]) {
    expect(rolled).toMatchObject([{ score: 100, reported: 0.5, waived: 0.5625, exempt: 0.1875 }]);
  }
});

test("by names, a map says which of them are exempt", () => {
  const excluded = excludedMetrics(scorecards, findExemptions(image, service, at));
  const byName = { "security.image_scan": record("", 40), "security.secret_scan": record("", 80) };
  expect(rollUpApp(scorecards, byName, at, excluded)).toMatchObject({ score: 80, waived: 0, exempt: 0.1875 });
  expect(rollUpApp(scorecards, byName, at, new Set(excluded.keys()))).toMatchObject({ waived: 0.1875, exempt: 0 });
});
