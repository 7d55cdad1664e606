import { application } from "@maturity/application";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { expect, test } from "vitest";
import { OperatorError } from "../model/errors.ts";
import { parsePolicy } from "./policy-file.ts";
import { applyPolicy, noPolicy } from "./rules.ts";

const declared = [security, reliability, application];
const parse = (text: string) => parsePolicy(text, "policy.yaml", declared);

const whole = `
weights:
  scorecards: { security: 50, reliability: 25.5 }
  metrics:
    security.image_scan: 30
    application.unit_coverage: 5
max_age_hours:
  security.image_scan: 24
  security.dast: never
levels:
  - { name: Basic, min_score: 40 }
  - name: Full
    min_score: 80
    min_fresh: 0.9
    scorecards: { security: 85 }
    metrics: { security.secret_scan: 100 }
    no_open_problems: high
    max_waived: 0.1
`;

const policy = {
  weights: {
    ...{ security: 50, reliability: 25.5 },
    ...{ "security.image_scan": 30, "application.unit_coverage": 5 },
  },
  maxAgeHours: { "security.image_scan": 24, "security.dast": null },
  levels: [
    { name: "Basic", minScore: 40 },
    {
      ...{ name: "Full", minScore: 80, minFresh: 0.9, scorecards: { security: 85 } },
      ...{ metrics: { "security.secret_scan": 100 }, noOpenProblems: "high", maxWaived: 0.1 },
    },
  ],
};

test("YAML is read, and JSON likewise", () => {
  expect(parse(whole)).toEqual(policy);
  expect(parse('{"weights":{"scorecards":{"security":50}},"levels":[]}')).toEqual({
    ...{ weights: { security: 50 }, maxAgeHours: {}, levels: [] },
  });
  expect(parse("levels: [{ name: a, max_waived: 0 }]")).toEqual({
    ...{ weights: {}, maxAgeHours: {}, levels: [{ name: "a", maxWaived: 0 }] },
  });
  expect(parse("levels: [{ name: a, min_score: 0 }]").levels).toEqual([{ name: "a", minScore: 0 }]);
  expect(parse("max_age_hours: {}")).toEqual(noPolicy);
});

test("to whom metrics apply is read, numbers and single values likewise", () => {
  const { applies } = parse(`
applies:
  - metric: reliability.sla
    when: { tier: [1, 2], labels: { kind: service, public: true }, env: prod }
  - { metric: reliability, unless: { labels: { kind: [batch, library] } }, from: 2026-12-01 }
`);
  expect(applies).toEqual([
    {
      ...{ scorecard: "reliability", metric: "sla" },
      when: { tier: ["1", "2"], labels: { kind: ["service"], public: ["true"] }, env: ["prod"] },
    },
    { scorecard: "reliability", unless: { labels: { kind: ["batch", "library"] } }, from: "2026-12-01" },
  ]);
  expect(applyPolicy(declared, { ...noPolicy, ...(applies && { applies }) }).applies).toBe(applies);
  expect(applyPolicy(declared, noPolicy).applies).toEqual([]);
});

test.each(["__proto__", "constructor", "prototype", "toString"])("the key %s is a fault wherever it stands", (key) => {
  const file = `${key}: {}\nweights:\n  ${key}: {}\n  metrics:\n    ${key}: 5\nlevels:\n  - name: a\n    min_score: 1\n    ${key}: 1\n`;
  const lines = [1, 3, 5, 9].map((line) => expect.stringContaining(`line ${line}: `));
  expect(() => parse(file)).toThrow(OperatorError);
  try {
    parse(file);
  } catch (error) {
    expect(
      String((error as Error).message)
        .split("\n")
        .slice(1),
    ).toEqual(lines);
  }
});

test("a policy changes what it names, and nothing else", () => {
  const { scorecards, levels } = applyPolicy(declared, parse(whole));
  expect(levels).toEqual(policy.levels);
  const [changed, , same] = scorecards;
  const metric = (name: string) => changed?.metrics.find((one) => one.name === name);
  expect(changed?.weight).toBe(50);
  expect(metric("image_scan")).toMatchObject({ weight: 30, maxAgeHours: 24 });
  expect(metric("dast")).not.toHaveProperty("maxAgeHours");
  expect(metric("sast")).toEqual(security.metrics.find(({ name }) => name === "sast"));
  expect(same?.weight).toBe(application.weight);
  expect(applyPolicy(declared, noPolicy).scorecards).toEqual(declared);
  expect(security.weight).not.toBe(50);
});

test("without a policy there are bronze, silver and gold, which ask for nothing that is not installed", () => {
  expect(applyPolicy(declared, noPolicy).levels.map(({ name, metrics }) => [name, metrics])).toEqual([
    ["bronze", undefined],
    ["silver", undefined],
    ["gold", { "security.secret_scan": 100 }],
  ]);
  expect(applyPolicy([reliability], noPolicy).levels.map(({ metrics }) => metrics)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
