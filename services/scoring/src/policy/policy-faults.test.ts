import { application } from "@maturity/application";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { describe, expect, test } from "vitest";
import { OperatorError } from "../model/errors.ts";
import { parsePolicy } from "./policy-file.ts";

const installed = [security, reliability, application]
  .flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`))
  .join(", ");

/** The faults listed for a file, without the first line. */
function faultsOf(text: string): string[] {
  try {
    parsePolicy(text, "policy.yaml", [security, reliability, application]);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    const [first, ...faults] = (error as OperatorError).message.split("\n");
    expect(first).toBe("The policy policy.yaml cannot be used:");
    return faults.map((fault) => fault.slice(2));
  }
  throw new Error("it was accepted");
}

describe("a fault is listed with its line:", () => {
  test.each<[text: string, fault: string]>([
    ["", "line 1: it must be a mapping"],
    ["# all is commented out", "line 1: it must be a mapping"],
    ["[]", "line 1: it must be a mapping"],
    ["wieghts:\n  a: 1", "line 1: wieghts is not a setting; did you mean weights?"],
    ["Levels: []", "line 1: Levels is not a setting; did you mean levels?"],
    ["rules: []", "line 1: rules is not a setting; there are weights, max_age_hours, levels, applies"],
    ["weights: { scorecard: { security: 1 } }", "line 1: weights.scorecard is not a setting; did you mean scorecards?"],
    [
      "levels: [{ name: a, min_score: 1, max_waved: 0 }]",
      "line 1: levels[0].max_waved is not a setting; did you mean max_waived?",
    ],
    ["weights: 5", "line 1: weights must be a mapping"],
    ["weights:\n  security: 5", "line 2: weights.security is not a setting; there are scorecards, metrics"],
    [
      "weights:\n  scorecards:\n    secruity: 5",
      "line 3: weights.scorecards.secruity is no installed scorecard; did you mean security?",
    ],
    [
      "weights:\n  scorecards:\n    finance: 5",
      "line 3: weights.scorecards.finance is no installed scorecard; installed: security, reliability, application",
    ],
    [
      "weights: { metrics: { security.imagescan: 5 } }",
      "line 1: weights.metrics.security.imagescan is no installed metric; did you mean security.image_scan?",
    ],
    [
      "weights: { metrics: { image_scan: 5 } }",
      "line 1: weights.metrics.image_scan is no installed metric; did you mean security.image_scan?",
    ],
    ["weights: { scorecards: { security: 0 } }", "line 1: weights.scorecards.security must be above 0"],
    ["weights: { scorecards: { security: 1e300 } }", "line 1: weights.scorecards.security is too large"],
    ["weights: { scorecards: { security: 2e6 } }", "line 1: weights.scorecards.security must be at most 1000000"],
    ["max_age_hours: { security.dast: 876001 }", "line 1: max_age_hours.security.dast must be at most 876000"],
    ["weights: { scorecards: { security: .nan } }", "line 1: weights.scorecards.security must be a number"],
    ["weights: { scorecards: { security: .inf } }", "line 1: weights.scorecards.security must be a number"],
    ["weights: { scorecards: { security: 30 % } }", "line 1: weights.scorecards.security must be a number"],
    [
      "max_age_hours: { security.dast: -1 }",
      "line 1: max_age_hours.security.dast must be a number of hours above 0, or never",
    ],
    [
      "max_age_hours: { security.dast: soon }",
      "line 1: max_age_hours.security.dast must be a number of hours above 0, or never",
    ],
    [
      "max_age_hours: { security: 5 }",
      `line 1: max_age_hours.security is no installed metric; installed: ${installed}`,
    ],
    ["levels: { bronze: 5 }", "line 1: levels must be a list"],
    ["levels:\n  - bronze", "line 2: levels[0] must be a mapping"],
    ["levels:\n  - ~", "line 2: levels[0] must be a mapping"],
    ["levels:\n  - name: a\n    scorecards:", "line 3: levels[0].scorecards must be a mapping"],
    [
      "levels:\n  - { name: a, min_score: 80 }\n  - { name: 5, min_score: 90 }",
      "line 3: levels[1].name must be a text",
    ],
    [
      "levels:\n  - { name: a, min_score: 80 }\n  - { name: b, min_score: high }",
      "line 3: levels[1].min_score must be a number",
    ],
    [
      `levels:\n  - { name: ${"a".repeat(51)}, min_score: 5 }`,
      "line 2: levels[0].name must be a text of 1 to 50 characters, without a space at either end",
    ],
    ["levels:\n  - min_score: 5", "line 2: levels[0].name is required"],
    ["levels:\n  - name: a", "line 2: levels[0] has no condition"],
    ["levels:\n  - name: none\n    min_score: 5", "line 2: levels[0].name must not be none, which stands for no level"],
    ["levels:\n  - name: None\n    min_score: 5", "line 2: levels[0].name must not be none, which stands for no level"],
    ["levels: []\n---\nlevels: []", "line 2: a second document begins here; there must be one alone"],
    ["levels:\n  - name: 1\n    min_score: 5", "line 2: levels[0].name must be a text"],
    ["levels:\n  - name: a\n    min_score: 105", "line 3: levels[0].min_score must be at most 100"],
    [
      "levels:\n  - name: a\n    min_fresh: 75",
      "line 3: levels[0].min_fresh must be a share from 0 to 1, such as 0.75 for 75 %",
    ],
    [
      "levels:\n  - name: a\n    no_open_problems: grave",
      "line 3: levels[0].no_open_problems must be one of [critical, high, medium, low, info]",
    ],
    ["levels:\n  - name: a\n    scorecards: {}", "line 3: levels[0].scorecards must have an entry"],
    ["levels:\n  - name: a\n    metrics: {}", "line 3: levels[0].metrics must have an entry"],
    [
      "levels:\n  - name: a\n    metrics:\n      security.secretscan: 100",
      "line 4: levels[0].metrics.security.secretscan is no installed metric; did you mean security.secret_scan?",
    ],
    [
      "levels:\n  - { name: a, min_score: 1 }\n  - { name: a, min_score: 2 }",
      "line 3: levels[1] has the name of a level before it",
    ],
    [
      "levels:\n  - { name: a, min_score: 1 }\n  - { name: A, min_score: 2 }",
      "line 3: levels[1] has the name of a level before it",
    ],
    [
      "levels:\n  - { name: gold, min_score: 85 }\n  - { name: bronze, min_score: 50 }",
      "line 3: levels[1].min_score asks for less than gold (85), a level before it; levels go from the lowest to the highest",
    ],
    [
      `levels:${[50, 80, 70].map((score, index) => `\n  - { name: l${index}, min_score: ${score} }`).join("")}`,
      "line 4: levels[2].min_score asks for less than l1 (80), a level before it; levels go from the lowest to the highest",
    ],
    [
      "levels:\n  - { name: a, max_waived: 0.1 }\n  - name: b\n    max_waived: 0.2",
      "line 4: levels[1].max_waived asks for less than a (0.1), a level before it; levels go from the lowest to the highest",
    ],
    [
      "levels:\n  - { name: a, no_open_problems: high }\n  - { name: b, no_open_problems: critical }",
      "line 3: levels[1].no_open_problems asks for less than a (high), a level before it; levels go from the lowest to the highest",
    ],
    [
      "levels:\n  - { name: a, metrics: { security.sast: 50 } }\n  - { name: b, metrics: { security.sast: 40 } }",
      "line 3: levels[1].metrics.security.sast asks for less than a (50), a level before it; levels go from the lowest to the highest",
    ],
    [
      `levels: [${Array.from({ length: 21 }, (_, n) => `{ name: l${n}, min_score: ${n} }`)}]`,
      "line 1: levels must have at most 20 entries",
    ],
    ["weights: 1\nweights: 2", "line 2: the key weights stands there twice"],
    ["applies: {}", "line 1: applies must be a list"],
    ["applies:\n  - security.dast", "line 2: applies[0] must be a mapping"],
    ["applies:\n  - when: { tier: 1 }", "line 2: applies[0].metric is required"],
    ["applies:\n  - metric: security.dast", "line 2: applies[0] must have when, unless or from"],
    [
      "applies:\n  - metric: security.dats\n    when: { tier: 1 }",
      "line 2: applies[0].metric is no installed metric or scorecard; did you mean security.dast?",
    ],
    [
      "applies:\n  - metric: reliabilty\n    when: { tier: 1 }",
      "line 2: applies[0].metric is no installed metric or scorecard; did you mean reliability?",
    ],
    [
      "applies:\n  - metric: security\n    wen: { tier: 1 }\n    from: 2026-12-01",
      "line 3: applies[0].wen is not a setting; did you mean when?",
    ],
    ["applies:\n  - metric: security\n    when: [1]", "line 3: applies[0].when must be a mapping"],
    ["applies:\n  - metric: security\n    when: {}", "line 3: applies[0].when must have an entry"],
    [
      "applies:\n  - metric: security\n    unless:\n      label: { kind: batch }",
      "line 4: applies[0].unless.label is not a setting; did you mean labels?",
    ],
    [
      "applies:\n  - metric: security\n    unless:\n      labels: {}",
      "line 4: applies[0].unless.labels must have an entry",
    ],
    [
      "applies:\n  - metric: security\n    when:\n      labels:\n        kind: []",
      "line 5: applies[0].when.labels.kind must have an entry",
    ],
    [
      "applies:\n  - metric: security\n    when:\n      labels:\n        kind: { is: batch }",
      "line 5: applies[0].when.labels.kind must be a text or a number",
    ],
    [
      "applies:\n  - metric: security\n    when:\n      tier:\n        - 1\n        - ~",
      "line 6: applies[0].when.tier[1] must be a text or a number",
    ],
    ["applies:\n  - metric: security\n    when: { env: 5 }", "line 3: applies[0].when.env must be a text"],
    [
      "applies:\n  - metric: security\n    from: 2026-02-31",
      "line 3: applies[0].from must be a day such as 2026-01-31",
    ],
    ["applies:\n  - metric: security\n    from: soon", "line 3: applies[0].from must be a day such as 2026-01-31"],
    [
      `applies: [${Array.from({ length: 201 }, () => "{ metric: security, from: 2026-12-01 }")}]`,
      "line 1: applies must have at most 200 entries",
    ],
    ["weights: !heavy {}", "line 1: Unresolved tag: !heavy"],
  ])("%s", (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  test("a level may ask for as much as one before it, or not ask again", () => {
    const levels =
      "levels: [{ name: a, min_score: 50, no_open_problems: high }, { name: b, min_score: 50, max_waived: 0 }]";
    expect(parsePolicy(levels, "policy.yaml", []).levels).toHaveLength(2);
  });

  test("a hundred of them are listed", () => {
    const unknown = Array.from({ length: 150 }, (_, index) => `  metric_${index}: 5\n`).join("");
    expect(faultsOf(`max_age_hours:\n${unknown}`)).toHaveLength(100);
  });

  test("brackets in brackets without end", () => {
    expect(faultsOf(`levels: ${"[".repeat(20_000)}${"]".repeat(20_000)}`)).toEqual(["line 1: it is nested too deep"]);
  });

  test("all of them in one message, in the order of their lines", () => {
    const faults = faultsOf(`
weights:
  scorecards: { security: -1, finance: 2 }
max_age_hours: { security.dast: 0 }
levels:
  - { name: gold, min_score: 85 }
  - { name: silver, min_score: 70, colour: grey }
extra: 1
`);
    expect(faults.map((fault) => fault.slice(0, 30))).toEqual([
      "line 3: weights.scorecards.sec",
      "line 3: weights.scorecards.fin",
      "line 4: max_age_hours.security",
      "line 7: levels[1].colour is no",
      "line 7: levels[1].min_score as",
      "line 8: extra is not a setting",
    ]);
  });

  test.each(["a: [", "a: b: c", "\tweights: 1", "weights: *nowhere", "? [a]\n: b\n- c", "%", "a: &x [*x]"])(
    "text that is no YAML: %j",
    (text) => {
      for (const fault of faultsOf(text)) expect(fault).toMatch(/^line \d+: ./);
    },
  );
});
