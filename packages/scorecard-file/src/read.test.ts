import { createEngine } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { changed, cost } from "../test/cost.ts";
import { isScorecardFile, jsonSchema, readScorecardFile } from "./index.ts";

describe("a file that fits", () => {
  const { scorecard } = readScorecardFile(cost, "cost.yaml");
  const engine = createEngine([scorecard]);

  test("is a scorecard with all that it says", () => {
    expect(scorecard).toMatchObject({ contract: 1, name: "cost", dimension: "run", weight: 20 });
    expect(scorecard.metrics).toMatchObject([
      {
        ...{ name: "budget", title: "Spending against the budget", weight: 60, maxAgeHours: 720 },
        ...{ description: "What was spent in the month.", help: "https://wiki.example.com/budget" },
        inputs: { spent_pct: { label: "spending", min: 0, max: 10_000, better: "lower" } },
      },
      { name: "waste", weight: 1, inputs: { idle: { type: "integer", min: 0 }, reserved: { type: "boolean" } } },
    ]);
  });

  test("may have a title", () => {
    const titled = (text: string) => changed(["name: cost\n", `name: cost\n${text}\n`]);
    expect(scorecard).not.toHaveProperty("title");
    expect(readScorecardFile(titled("title: Money"), "cost.yaml").scorecard.title).toBe("Money");
    expect(() => readScorecardFile(titled("title: 7"), "cost.yaml")).toThrow("line 4: title must be a text");
  });

  test("scores as a package does, with its reasons", () => {
    const { score, reasons, scorer } = engine.score("cost", "budget", { spent_pct: 120, tool: "any" });
    expect({ score, scorer }).toEqual({ score: 60, scorer: expect.stringMatching(/^cost@1\.0\.0\+[0-9a-f]{8}$/) });
    expect(reasons[0]?.text).toMatch(
      /^spending is 120 % of the budget, which scores 60; the score falls evenly from 80/,
    );
    const flag = engine.score("cost", "waste", { idle: 0, oversized: 0, oldest_days: 1, reserved: false });
    expect(flag.reasons[0]?.text).toMatch(/^reserved is false, which scores 0; the score is 100 when reserved is true/);
    expect(() => engine.score("cost", "budget", { spent_pct: "120" })).toThrow("raw.spent_pct: must be a number");
  });

  test("is another scorer with every change of its text, and the same one without", () => {
    const versionOf = (text: string) => readScorecardFile(text, "any.yaml").scorecard.package.version;
    expect(versionOf(cost)).toBe(scorecard.package.version);
    expect(versionOf(changed(["What our", "What your"]))).not.toBe(scorecard.package.version);
  });

  test("may be JSON", () => {
    const { declaration } = readScorecardFile(cost, "cost.yaml");
    expect(readScorecardFile(JSON.stringify(declaration), "cost.yaml").declaration).toEqual(declaration);
  });

  test.each([["./cost.yaml"], ["/etc/maturity/cost.yml"], ["Cost.YAML"]])("%s is a file", (entry) =>
    expect(isScorecardFile(entry)).toBe(true),
  );
  test.each([["@acme/cost"], ["cost"], ["yaml"], ["cost.yaml.js"]])("%s is none", (entry) =>
    expect(isScorecardFile(entry)).toBe(false),
  );
});

test("the schema for editors, which the CLI ships, is that of the check; vitest -u writes it", async () => {
  const text = `${JSON.stringify(jsonSchema(), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../cli/schema/scorecard.json");
});
