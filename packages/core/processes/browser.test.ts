import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

const source = fileURLToPath(new URL("../src/", import.meta.url));

/** Bundles an entry for browsers as `core`, and runs a script with it where there is nothing but the language itself. */
async function inBrowser(entry: string, script: string): Promise<{ inputs: string[]; result: unknown }> {
  const { metafile, outputFiles } = await build({
    entryPoints: [`${source}${entry}`],
    absWorkingDir: source,
    bundle: true,
    platform: "browser",
    conditions: ["@maturity/source"],
    format: "iife",
    globalName: "core",
    target: "es2023",
    metafile: true,
    write: false,
  });
  const context = createContext({ setTimeout, clearTimeout }); // which every browser has
  const bundle = outputFiles[0]?.text ?? "";
  return { inputs: Object.keys(metafile.inputs), result: JSON.parse(runInContext(`${bundle}\n${script}`, context)) };
}

const scorecard = `{
  contract: 1,
  name: "bugs",
  dimension: "build",
  weight: 1,
  package: { name: "@acme/bugs", version: "1.0.0" },
  metrics: [{
    name: "open",
    title: "Open bugs",
    weight: 1,
    raw: { "~standard": { version: 1, vendor: "test", validate: (value) =>
      Number.isInteger(value.high) ? { value } : { issues: [{ path: ["high"], message: "must be a count" }] } } },
    score: halving({ high: 1000 }),
    inputs: { high: { better: "lower" } },
  }],
}`;

describe("without Node", () => {
  test("an engine scores, says why, and rolls up", async () => {
    const { inputs, result } = await inBrowser(
      "index.ts",
      `const { createEngine, halving, rollUp } = core;
      const engine = createEngine([${scorecard}]);
      const { score, reasons, scorer } = engine.score("bugs", "open", { high: 2000 });
      const key = { area: "a", team: "t", app: "x", env: "prod", scorecard: "bugs", metric: "open" };
      const { areas } = rollUp(engine.scorecards, [{ ...key, score, reported_at: new Date() }], new Date());
      let refused;
      try { engine.score("bugs", "open", {}); } catch (error) { refused = error.details; }
      JSON.stringify({ score, reasons, scorer, areas, refused })`,
    );
    expect(result).toEqual({
      score: 25,
      reasons: [
        {
          field: "high",
          value: 2000,
          text: "2,000 high findings leave 25 % of the score; every 1,000 of them halve it",
          code: "leaves",
          values: { share: 0.25, halved_by: 1000 },
        },
      ],
      scorer: "@acme/bugs@1.0.0",
      areas: [{ area: "a", env: "prod", score: 25, reported: 1, fresh: 1, waived: 0, exempt: 0, count: 1, lowest: 25 }],
      refused: [{ path: "raw.high", message: "must be a count" }],
    });
    expect(inputs.filter(isForeign)).toEqual([]);
  });

  test("a scorecard is checked", async () => {
    const { inputs, result } = await inBrowser(
      "testing.ts",
      `const halving = () => ({ high }) =>
        ({ score: 100 / (1 + Math.max(high, 0)), reasons: [{ field: "high", value: high, text: "some" }] });
      const cases = { open: { none: { raw: { high: 0 }, score: 100 }, wrong: { raw: { high: 1 }, score: 49 } } };
      JSON.stringify(core.checkScorecard(${scorecard}, cases).flatMap(({ name, run }) => {
        try { run(); return []; } catch (error) { return [[name, error.message]]; }
      }))`,
    );
    expect(result).toEqual([["bugs.open: wrong", expect.stringContaining("expected 49, got 50")]]);
    expect(inputs.filter(isForeign).filter((input) => !/node_modules\/(fast-check|pure-rand)\//.test(input))).toEqual(
      [],
    );
  });
});

/** Whether a file of a bundle lies outside the source: a dependency or a builtin. */
function isForeign(input: string): boolean {
  return !/^[a-z-]+\.ts$/.test(input);
}
