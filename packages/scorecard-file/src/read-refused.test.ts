import { describe, expect, test } from "vitest";
import { changed, cost, refusal } from "../test/cost.ts";

describe("a file that does not fit is refused with the line and what would be right", () => {
  const budget = "metrics[0]";
  const waste = "metrics[1]";

  test.each<[string, readonly (readonly [string, string])[], readonly string[]]>([
    ["another contract", [["contract: 1", "contract: 2"]], ["line 2: contract must be 1"]],
    [
      "a version that is a number",
      [["1.0.0", "1.0"]],
      ['line 4: version must be a version in quotes, such as "1.0.0"'],
    ],
    [
      "a name with capitals",
      [["name: cost", "name: Cost"]],
      ["line 3: name must be lower case letters, digits and underscores, a letter first, at most 63"],
    ],
    ["a member that is missing", [["dimension: run\n", ""]], ["line 2: dimension is required"]],
    [
      "a member that is mistyped",
      [["max_age_hours", "max_age_hour"]],
      [`line 11: ${budget}.max_age_hour is not a setting; did you mean max_age_hours?`],
    ],
    ["a number as text", [["weight: 60", 'weight: "60"']], [`line 10: ${budget}.weight must be a number`]],
    ["a weight of 0", [["weight: 60", "weight: 0"]], [`line 10: ${budget}.weight must be above 0`]],
    ["a number without end", [["weight: 60", "weight: .inf"]], [`line 10: ${budget}.weight must be a number`]],
    ["a number that is none", [["weight: 60", "weight: .nan"]], [`line 10: ${budget}.weight must be a number`]],
    ["a huge number", [["max: 10000", "max: 1e300"]], [`line 16: ${budget}.inputs.spent_pct.max is too large`]],
    [
      "no address",
      [["https://wiki", "javascript:wiki"]],
      [`line 14: ${budget}.help must be an address such as https://example.com/page`],
    ],
    [
      "a text with a line break",
      [["title: Spending against the budget", 'title: "Spending\\nagainst"']],
      [`line 9: ${budget}.title must not hold U+000A, which is not printable, as character 9`],
    ],
    [
      "a text that turns the reading direction",
      [["label: spending", 'label: "\\u202espending"']],
      [`line 16: ${budget}.inputs.spent_pct.label must not hold U+202E, which is not printable, as character 1`],
    ],
    [
      "a unit that ends the sentence",
      [["% of the budget", "% approx."]],
      [`line 16: ${budget}.inputs.spent_pct.unit must not end with a full stop: it is a part of a sentence`],
    ],
    [
      "an input that no curve reads",
      [["spent_pct: {", "spent_pc: {"]],
      [`line 16: ${budget}.inputs.spent_pc is read by no curve; did you mean spent_pct?`],
    ],
    [
      "a field that could be no name",
      [["idle: { unit", "a b: { unit"]],
      [
        `line 25: ${waste}.inputs.a b is no name of a field, which must be letters, digits and underscores, no digit first, at most 63`,
      ],
    ],
    [
      "an empty range",
      [["max: 10000", "max: 0"]],
      [`line 16: ${budget}.inputs.spent_pct.max must be above the lowest value, 0`],
    ],
    [
      "a count with another range and unit",
      [["unit: [idle server, idle servers]", "unit: servers, min: -1, max: 0.5"]],
      [
        `line 25: ${waste}.inputs.idle.unit must be a pair, since halving counts: [idle resource, idle resources]`,
        `line 25: ${waste}.inputs.idle.min must be a whole number from 0, since halving counts`,
        `line 25: ${waste}.inputs.idle.max must be a whole number from 0, since halving counts`,
      ],
    ],
    [
      "a range of a flag",
      [["unit: [idle server, idle servers] }", "unit: [a, b] }\n      reserved: { max: 1 }"]],
      [`line 26: ${waste}.inputs.reserved.max is for numbers, and this input is true or false`],
    ],
    [
      "no curve",
      [["piecewise: { field: spent_pct, points: [[100, 100], [110, 80], [150, 0]] }", "{}"]],
      [`line 17: ${budget}.curve must have exactly one of piecewise, log_piecewise, halving, pass_fail, lowest_of`],
    ],
    [
      "two curves",
      [["piecewise: {", "halving: { spent_pct: 1 }\n      piecewise: {"]],
      [`line 17: ${budget}.curve must have exactly one of piecewise, log_piecewise, halving, pass_fail, lowest_of`],
    ],
    [
      "an unknown curve",
      [["piecewise: {", "expression: {"]],
      [
        `line 18: ${budget}.curve.expression is no curve; there are piecewise, log_piecewise, halving, pass_fail, lowest_of`,
      ],
    ],
    [
      "a lowest_of in another",
      [["pass_fail: { field: reserved }", "lowest_of: []"]],
      [`line 30: ${waste}.curve.lowest_of[2].lowest_of is inside another lowest_of; list its curves in that`],
    ],
    [
      "a point that is no pair",
      [["[110, 80]", "110"]],
      [`line 18: ${budget}.curve.piecewise.points[1] must be a pair of an input and its score, such as [100, 80]`],
    ],
    [
      "one point",
      [["[[100, 100], [110, 80], [150, 0]]", "[[100, 100]]"]],
      [`line 18: ${budget}.curve.piecewise.points must have at least two points`],
    ],
    [
      "points that do not rise",
      [["[110, 80]", "[90, 80]"]],
      [`line 18: ${budget}.curve.piecewise.points[1][0] must be above the input of the point before, 100`],
    ],
    [
      "a score above 100",
      [["[110, 80]", "[110, 180]"]],
      [`line 18: ${budget}.curve.piecewise.points[1][1] must be at most 100`],
    ],
    [
      "a logarithm of 0",
      [["[[1, 100], [1000", "[[0, 100], [1000"]],
      [`line 29: ${waste}.curve.lowest_of[1].log_piecewise.points[0][0] must be above 0 on a logarithmic scale`],
    ],
    [
      "points with one logarithm",
      [["[[1, 100], [1000, 0]]", "[[100000000000, 0], [100000000000.00005, 100]]"]],
      [
        `line 29: ${waste}.curve.lowest_of[1].log_piecewise.points[1][0] is too close to the input of the point before, 100000000000`,
      ],
    ],
    [
      "a field that is a number and a flag",
      [["field: reserved", "field: oversized"]],
      [`line 26: ${waste}.curve reads oversized both as a number and as a flag`],
    ],
    [
      "a halving by nothing",
      [["oversized: 40", "oversized: 0"]],
      [`line 28: ${waste}.curve.lowest_of[0].halving.oversized must be above 0`],
    ],
    [
      "no case",
      [
        [
          "cases:\n      - { raw: { spent_pct: 100 }, score: 100 }\n      - { raw: { spent_pct: 120 }, score: 60 }",
          "cases: []",
        ],
      ],
      [`line 19: ${budget}.cases must have an entry`],
    ],
    [
      "a case with another score",
      [["120 }, score: 60", "120 }, score: 61"]],
      [
        expect.stringMatching(
          /^line 21: metrics\[0\]\.cases\[1\]\.score is 61, but it scores 60: spending is 120 % of the budget, which scores 60;/,
        ) as unknown as string,
      ],
    ],
    [
      "a case that is refused",
      [["{ spent_pct: 120 }", "{ spent_pct: '120' }"]],
      [`line 21: ${budget}.cases[1].raw.spent_pct must be a number`],
    ],
    ["a case without a field", [["raw: { idle: 4, ", "raw: { "]], [`line 32: ${waste}.cases[0].raw.idle is required`]],
    [
      "a case with a field that is not read",
      [["{ spent_pct: 120 }", "{ spent_pct: 120, euros: 1 }"]],
      [`line 21: ${budget}.cases[1].raw.euros is read by no curve; the curve reads spent_pct`],
    ],
    [
      "a score of a case with three decimals",
      [["score: 66.67", "score: 66.667"]],
      [`line 33: ${waste}.cases[1].score must have at most two decimals`],
    ],
    [
      "a name of two metrics",
      [["name: waste", "name: budget"]],
      [`line 22: ${waste}.name is budget, as that of a metric before it`],
    ],
  ])("%s", (_, changes, lines) => expect(refusal(changed(...changes))).toEqual(lines));

  test("all its faults are listed at once, in the order of the lines", () => {
    const text = changed(
      ["contract: 1", "contract: 2"],
      ["weight: 60", "weight: -1"],
      ["{ idle: 4, oversized: 0", "{ idel: 4, oversized: 0"],
    );
    expect(refusal(text).map((line) => line.split(":")[0])).toEqual(["line 2", "line 10", "line 32"]);
  });
});

describe("a hostile file is refused, and stalls nothing", () => {
  const layers = Array.from(
    { length: 9 },
    (_, n) =>
      `l${n}: &l${n} [${Array(9)
        .fill(n ? `*l${n - 1}` : "x")
        .join()}]`,
  );
  const keys = Array.from({ length: 12_000 }, (_, n) => `k${n}: 1`).join("\n");

  test.each<[string, string, string | RegExp]>([
    ["nothing", "", "line 1: it must be a mapping"],
    ["a list", "- 1", "line 1: it must be a mapping"],
    ["no YAML", "name: [", /^line 1: ./],
    ["a key twice", `${cost}name: other`, "line 35: the key name stands there twice"],
    ["a prototype", `${cost}__proto__: {}`, "line 35: the key __proto__ cannot be used"],
    [
      "a prototype of inputs",
      cost.replace("spent_pct: {", "__proto__: {"),
      "line 16: the key __proto__ cannot be used",
    ],
    ["anchors in anchors", layers.join("\n"), /^line \d+: ./],
    ["a value that holds itself", "metrics: &x\n  - *x", /^line \d+: a value must not hold itself/],
    ["deep nesting", `metrics: ${"[".repeat(50_000)}`, /^line 1: ./],
    [
      "deep nesting of a result",
      cost.replace("spent_pct: 100 }", `spent_pct: ${"[".repeat(900)}${"]".repeat(900)} }`),
      /^line 20: /,
    ],
    ["a tag of its own", cost.replace("weight: 20", "weight: !!js/function 20"), /^line 6: .*tag/],
    ["too many bytes", `#${"x".repeat(131_072)}`, "line 1: it is larger than 128 KiB"],
    ["keys without end", keys, "line 1: it must have at most 100 entries"],
    ["metrics without end", `metrics:\n${"- {}\n".repeat(26_000)}`, "line 1: metrics must have at most 100 entries"],
    ["names of all objects", "constructor: 1\ntoString: 2", "line 1: contract is required"],
  ])("%s", (_, text, message) => {
    const lines = refusal(text);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(100);
    expect(lines[0]).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  });
});
