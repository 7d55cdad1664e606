import { describe, expect, test } from "vitest";
import { anyObject, metricWith, scorecardWith } from "../test/scorecards.ts";
import { createEngine, defineMetric, defineScorecard, MaturityError, type Scorecard } from "./index.ts";

const nameRule = "must be lower case letters, digits and underscores, a letter first, at most 63; got";
const weightRule = "weight must be a number above 0; got";
const schemaRule = "raw must be a Standard Schema (version 1): a joi, zod or valibot schema, for example";
const ageRule = "maxAgeHours must be a number above 0, or left out; got";
const betterRule = 'better must give "lower" or "higher" for each field it names';

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
    ["weight Infinity", { weight: Number.POSITIVE_INFINITY }, `${weightRule} Infinity`],
    ["weight as text", { weight: "1" }, `${weightRule} "1"`],
    ["no weight", { weight: undefined }, `${weightRule} undefined`],
    ["no package", { package: undefined }, "package needs a name and a version"],
    ["package null", { package: null }, "package needs a name and a version"],
    ["a package without version", { package: { name: "@acme/cost" } }, "package needs a name and a version"],
    ["an empty package name", { package: { name: "", version: "1.0.0" } }, "package needs a name and a version"],
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

describe("a metric is refused, by name", () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["weight 0", { weight: 0 }, `${weightRule} 0`],
    ["weight -1", { weight: -1 }, `${weightRule} -1`],
    ["weight NaN", { weight: Number.NaN }, `${weightRule} NaN`],
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
    ["a direction that is none", { better: { eur: "less" } }, betterRule],
    ["a direction without field", { better: "lower" }, betterRule],
    ["better null", { better: null }, betterRule],
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
    ["a metric without directions", { metrics: [metricWith({ better: undefined })] }],
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

test("defineMetric returns the metric as it is", () => {
  const metric = { ...metricWith(), score: () => ({ score: 1, reasons: [] }) };
  expect(defineMetric(metric)).toBe(metric);
});
