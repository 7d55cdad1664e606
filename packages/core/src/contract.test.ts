import { describe, expect, test } from "vitest";
import { anyObject, metricWith, scorecardWith } from "../test/scorecards.ts";
import { createEngine, defineScorecard, MaturityError, type Scorecard } from "./index.ts";

const nameRule = "must be lower case letters, digits and underscores, a letter first, at most 63; got";
const weightRule = "weight must be a number above 0, at most 1000000; got";
const schemaRule = "raw must be a Standard Schema (version 1): a joi, zod or valibot schema, for example";
const inputsRule = "inputs must be an object with an entry for each field";
const helpRule = "help must be an address such as https://example.com/page; got";
const successorRule = "deprecated must name the metric that takes its place; got";
const ageRule = "maxAgeHours must be a number above 0, or left out; got";

/** The message with which an engine refuses these scorecards. */
function refusal(...scorecards: unknown[]): string {
  try {
    createEngine(scorecards as Scorecard[]);
  } catch (error) {
    expect(error).toBeInstanceOf(MaturityError);
    expect(error).toMatchObject({ code: "invalid-scorecard", details: [] });
    return (error as Error).message;
  }
  return "it was accepted";
}

describe("a scorecard is refused, by name", () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["contract 2", { contract: 2 }, "has contract 2; this version of @maturity/core understands contract 1"],
    ["contract as text", { contract: "1" }, 'has contract "1"; this version of @maturity/core understands contract 1'],
    ["no contract", { contract: undefined }, "has contract undefined; this version of @maturity/core understands"],
    ["no dimension", { dimension: undefined }, `dimension ${nameRule} undefined`],
    ["a dimension in capitals", { dimension: "RUN" }, `dimension ${nameRule} "RUN"`],
    ["weight 0", { weight: 0 }, `${weightRule} 0`],
    ["weight -1", { weight: -1 }, `${weightRule} -1`],
    ["weight NaN", { weight: Number.NaN }, `${weightRule} NaN`],
    ["weight 1e307", { weight: 1e307 }, `${weightRule} 1e+307`],
    ["weight above 1,000,000", { weight: 1_000_000.5 }, `${weightRule} 1000000.5`],
    ["weight Infinity", { weight: Number.POSITIVE_INFINITY }, `${weightRule} Infinity`],
    ["weight as text", { weight: "1" }, `${weightRule} "1"`],
    ["no weight", { weight: undefined }, `${weightRule} undefined`],
    ["no package", { package: undefined }, "package needs a name and a version"],
    ["package null", { package: null }, "package needs a name and a version"],
    ["a package without version", { package: { name: "@acme/cost" } }, "package needs a name and a version"],
    ["an empty package name", { package: { name: "", version: "1.0.0" } }, "package needs a name and a version"],
    [
      "a package name with a NUL",
      { package: { name: "@acme/cost\0", version: "1.0.0" } },
      "package.name holds a NUL character or a lone surrogate",
    ],
    [
      "a version with a lone surrogate",
      { package: { name: "@acme/cost", version: "1.0.0\ud800" } },
      "package.version holds a NUL character or a lone surrogate",
    ],
    ["no metrics", { metrics: undefined }, "has no metrics"],
    ["empty metrics", { metrics: [] }, "has no metrics"],
    ["metrics as an object", { metrics: { spend: metricWith() } }, "has no metrics"],
  ])("%s", (_, changes, problem) => expect(refusal(scorecardWith(changes))).toContain(`cost: ${problem}`));

  test.each([null, undefined, "cost", 1, [], () => {}])("what is no object: %s", (scorecard) => {
    expect(refusal(scorecard)).toBe("(a scorecard without name): is not an object");
  });

  test.each(["Image Scan", "image-scan", "ImageScan", "1st", "_x", "__proto__", "a".repeat(64), "é", "a\n"])(
    "the name %j",
    (name) => {
      expect(refusal(scorecardWith({ name }))).toBe(`${name}: name ${nameRule} ${JSON.stringify(name)}`);
      expect(refusal(scorecardWith({ metrics: [metricWith({ name })] }))).toBe(
        `cost.${name}: name ${nameRule} ${JSON.stringify(name)}`,
      );
    },
  );

  test.each([
    ["", '""'],
    [undefined, "undefined"],
    [null, "null"],
    [7, "7"],
    [7n, "7"],
  ])("no name: %s", (name, shown) => {
    expect(refusal(scorecardWith({ name }))).toBe(`(a scorecard without name): name ${nameRule} ${shown}`);
    expect(refusal(scorecardWith({ metrics: [metricWith(), metricWith({ name })] }))).toBe(
      `cost.metrics[1]: name ${nameRule} ${shown}`,
    );
  });

  test("two of one name, from two packages", () => {
    const other = scorecardWith({ package: { name: "@other/cost", version: "2.0.0" } });
    expect(refusal(scorecardWith(), scorecardWith({ name: "speed" }), other)).toBe(
      "cost: @other/cost@2.0.0 and @acme/cost@1.2.3 both define a scorecard of this name",
    );
  });

  test("the same one twice", () => {
    const scorecard = scorecardWith();
    expect(refusal(scorecard, scorecard)).toContain("cost: @acme/cost@1.2.3 and @acme/cost@1.2.3 both define");
  });
});

test("a scorecard may have a title, which is a text", () => {
  expect(createEngine([scorecardWith({ title: "Money" })]).scorecards[0]?.title).toBe("Money");
  for (const title of ["", 7, null]) {
    expect(refusal(scorecardWith({ title }))).toBe("cost: title must be a text, or left out");
  }
});

describe("a metric is refused, by name", () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["weight 0", { weight: 0 }, `${weightRule} 0`],
    ["weight -1", { weight: -1 }, `${weightRule} -1`],
    ["weight NaN", { weight: Number.NaN }, `${weightRule} NaN`],
    ["weight 1e307", { weight: 1e307 }, `${weightRule} 1e+307`],
    ["weight above 1,000,000", { weight: 1_000_000.5 }, `${weightRule} 1000000.5`],
    ["weight Infinity", { weight: Number.POSITIVE_INFINITY }, `${weightRule} Infinity`],
    ["weight as text", { weight: "1" }, `${weightRule} "1"`],
    ["no title", { title: undefined }, "title must be a text"],
    ["an empty title", { title: "" }, "title must be a text"],
    ["no raw schema", { raw: undefined }, schemaRule],
    ["raw null", { raw: null }, schemaRule],
    ["a raw schema that is none", { raw: { type: "object" } }, schemaRule],
    ["a Standard Schema of version 2", { raw: { "~standard": { ...anyObject["~standard"], version: 2 } } }, schemaRule],
    ["a Standard Schema without validate", { raw: { "~standard": { version: 1, vendor: "x" } } }, schemaRule],
    ["no score", { score: undefined }, "score must be a function"],
    ["a score that is a number", { score: 50 }, "score must be a function"],
    ["inputs null", { inputs: null }, inputsRule],
    ["inputs as a text", { inputs: "eur" }, inputsRule],
    ["inputs as a list", { inputs: [{}] }, inputsRule],
    ["a description that is no text", { description: 1 }, "description must be a text, or left out"],
    ["an empty description", { description: "" }, "description must be a text, or left out"],
    ["help that is no address", { help: "example.com" }, `${helpRule} "example.com"`],
    ["help of another kind", { help: "javascript:alert(1)" }, `${helpRule} "javascript:alert(1)"`],
    [
      "help in front of which something stands",
      { help: "see https://a.example" },
      `${helpRule} "see https://a.example"`,
    ],
    ["help without a host", { help: "https:// a" }, `${helpRule} "https:// a"`],
    ["help null", { help: null }, `${helpRule} null`],
    ["a successor that is no name", { deprecated: true }, `${successorRule} true`],
    ["a successor with too many names", { deprecated: "a.b.c" }, `${successorRule} "a.b.c"`],
    ["a successor in capitals", { deprecated: "Fine" }, `${successorRule} "Fine"`],
    ["a successor behind a blank", { deprecated: " fine" }, `${successorRule} " fine"`],
    [
      "itself as its successor",
      { deprecated: "spend" },
      "deprecated names spend, which is no other metric of the scorecard",
    ],
    [
      "an unknown successor",
      { deprecated: "speed" },
      "deprecated names speed, which is no other metric of the scorecard",
    ],
    ["a maximum age of 0", { maxAgeHours: 0 }, `${ageRule} 0`],
    ["a maximum age below 0", { maxAgeHours: -168 }, `${ageRule} -168`],
    ["a maximum age that is no number", { maxAgeHours: Number.NaN }, `${ageRule} NaN`],
    ["an endless maximum age", { maxAgeHours: Number.POSITIVE_INFINITY }, `${ageRule} Infinity`],
    ["a maximum age as text", { maxAgeHours: "168" }, `${ageRule} "168"`],
    ["a maximum age of null", { maxAgeHours: null }, `${ageRule} null`],
  ])("%s", (_, changes, problem) => {
    expect(refusal(scorecardWith({ metrics: [metricWith({ name: "fine" }), metricWith(changes)] }))).toBe(
      `cost.spend: ${problem}`,
    );
  });

  const unitRule = 'unit must be a text, a pair such as ["server", "servers"], or a function';

  test.each<[string, unknown, string]>([
    ["null", null, "is not an object"],
    ["a text", "lower", "is not an object"],
    ["an empty label", { label: "" }, "label must be a text, or left out"],
    ["a label that is no text", { label: 1 }, "label must be a text, or left out"],
    ["no text for what is out of range", { outOfRange: null }, "outOfRange must be a text, or left out"],
    ["an empty unit", { unit: "" }, unitRule],
    ["a unit of one number only", { unit: ["server"] }, unitRule],
    ["a unit with an empty plural", { unit: ["server", ""] }, unitRule],
    ["a unit with three numbers", { unit: ["a", "b", "c"] }, unitRule],
    ["a unit that is a number", { unit: 1 }, unitRule],
    ["a least value as text", { min: "0" }, 'min must be a number; got "0"'],
    ["an endless largest value", { max: Number.POSITIVE_INFINITY }, "max must be a number; got Infinity"],
    ["a range of one value", { min: 1, max: 1 }, "min must be below max; got 1 and 1"],
    ["a range the wrong way round", { min: 2, max: 1 }, "min must be below max; got 2 and 1"],
    ["a direction that is none", { better: "less" }, 'better must be "lower" or "higher", or left out; got "less"'],
    ["a type that is none", { type: "text" }, 'type must be "number", "integer" or "boolean"; got "text"'],
  ])("an input: %s", (_, input, problem) => {
    expect(refusal(scorecardWith({ metrics: [metricWith({ inputs: { eur: input } })] }))).toBe(
      `cost.spend.inputs.eur: ${problem}`,
    );
  });

  test.each([null, undefined, "spend", []])("what is no object: %s", (metric) => {
    expect(refusal(scorecardWith({ metrics: [metricWith(), metric] }))).toBe("cost.metrics[1]: is not an object");
  });

  test("two of one name", () => {
    expect(refusal(scorecardWith({ metrics: [metricWith(), metricWith({ name: "a" }), metricWith()] }))).toBe(
      "cost.spend: another metric of the scorecard already has this name",
    );
  });
});

describe("a scorecard is accepted", () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["as it is", {}],
    ["a name of 63 characters", { name: `a${"_9".repeat(31)}` }],
    ["the name constructor", { name: "constructor", metrics: [metricWith({ name: "constructor" })] }],
    ["a tiny weight", { weight: Number.MIN_VALUE }],
    ["members the contract does not know", { homepage: "https://example.com" }],
    ["a metric with a maximum age", { metrics: [metricWith({ maxAgeHours: 0.5 })] }],
    ["a metric without maximum age", { metrics: [metricWith({ maxAgeHours: undefined })] }],
    ["a metric without inputs", { metrics: [metricWith({ inputs: undefined })] }],
    [
      "words for people",
      { metrics: [metricWith({ description: "What the cloud costs", help: "http://a.example/b" })] },
    ],
    ["a successor of the scorecard", { metrics: [metricWith({ name: "fine" }), metricWith({ deprecated: "fine" })] }],
    ["a successor elsewhere", { metrics: [metricWith({ deprecated: "speed.lead_time" })] }],
    ["an input of which nothing is said", { metrics: [metricWith({ inputs: { eur: {} } })] }],
    [
      "inputs of which all is said",
      {
        metrics: [
          metricWith({
            inputs: {
              eur: {
                label: "the bill",
                unit: "€",
                min: -1,
                max: 0,
                better: "lower",
                type: "integer",
                outOfRange: "no",
              },
              hours: { unit: ["hour", "hours"], better: "higher", type: "number" },
              on: { unit: String, type: "boolean" },
            },
          }),
        ],
      },
    ],
    ["a schema that is a function", { metrics: [metricWith({ raw: Object.assign(() => {}, anyObject) })] }],
  ])("%s", (_, changes) => expect(refusal(scorecardWith(changes))).toBe("it was accepted"));

  test("metrics of one name in two scorecards", () => {
    expect(refusal(scorecardWith(), scorecardWith({ name: "speed" }))).toBe("it was accepted");
  });
});

describe("defineScorecard", () => {
  const { contract: _, ...declared } = scorecardWith();

  test("adds the contract's version", () => expect(defineScorecard(declared).contract).toBe(1));

  test("keeps of package.json name and version only", () => {
    const packageJson = { name: "@acme/cost", version: "1.2.3", private: true, scripts: {} };
    expect(defineScorecard({ ...declared, package: packageJson }).package).toEqual({
      name: "@acme/cost",
      version: "1.2.3",
    });
  });

  test("leaves a missing package for the engine to refuse by name", () => {
    const { package: _, ...rest } = declared;
    expect(refusal(defineScorecard(rest as typeof declared))).toBe("cost: package needs a name and a version");
  });
});
