import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  defineMetric,
  type EngineErrorCode,
  halving,
  logPiecewise,
  lowestOf,
  minutesAsTime,
  passFail,
  piecewise,
  type ScoreFunction,
} from "../src/index.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

/** The rows of all tables by their first cell. */
const rows = new Map(
  readme
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")))
    .map(([, first = "", ...cells]) => [first, cells]),
);

async function runExample(name: string): Promise<string> {
  const path = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = await promisify(execFile)(process.execPath, ["--conditions=@maturity/source", path], { env });
  return run.stdout;
}

describe("examples", () => {
  /** In the order of the README. */
  const examples = ["cost.ts", "score.ts", "reach.ts", "roll-up.ts", "levels.ts", "gain.ts", "check-scorecard.ts"];
  const shown = ["score.ts", "reach.ts", "roll-up.ts", "levels.ts", "gain.ts"];

  test("are all there", async () => {
    expect(await readdir(new URL("../examples/", import.meta.url))).toEqual([...examples].sort());
    expect(blocks("ts")).toHaveLength(examples.length);
    expect(blocks("text")).toHaveLength(shown.length);
  });

  test.each(examples.map((name, index) => ({ name, index })))("$name is as shown", async ({ name, index }) => {
    expect(blocks("ts")[index]).toBe(await readFile(new URL(`../examples/${name}`, import.meta.url), "utf8"));
  });

  test.each(shown.map((name, index) => ({ name, index })))("$name prints what is shown", async ({ name, index }) =>
    expect(await runExample(name)).toBe(blocks("text")[index]),
  );

  test("check-scorecard.ts passes under node:test", async () => {
    const report = await runExample("check-scorecard.ts");
    expect(report).toMatch(/pass 22\b/);
    expect(report).toMatch(/fail 0\b/);
  });

  function blocks(language: string): string[] {
    return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
  }
});

describe("the table of curves", () => {
  const rate = piecewise("rate", [
    [0.01, 100],
    [0.1, 0],
  ]);
  const sla = defineMetric({
    ...{ name: "sla", title: "Availability" },
    inputs: { pct: { label: "the availability", unit: "%" } },
    score: piecewise([
      [99, 50],
      [99.5, 75],
    ]),
  }).score;
  const mttr = defineMetric({
    ...{ name: "mttr", title: "Time to recover" },
    inputs: { minutes: { label: "the time to recover", unit: minutesAsTime } },
    score: logPiecewise([
      [60, 100],
      [1_440, 80],
    ]),
  }).score;

  test.each<[string, ScoreFunction<never>, Record<string, unknown>]>([
    ["piecewise", sla, { pct: 99.2 }],
    ["logPiecewise", mttr, { minutes: 90 }],
    ["halving", halving({ high: 5 }), { high: 3 }],
    ["passFail", passFail("on", { passes: true, pass: "backups are on", fail: "backups are off" }), { on: false }],
    ["lowestOf", lowestOf(rate), { rate: 0.05 }],
  ])("shows a reason of %s", (name, scorer, raw) => {
    expect(rows.get(name)?.[1]).toBe(scorer(raw as never).reasons[0]?.text);
  });
});

describe("the table of errors", () => {
  const codes: Record<EngineErrorCode, true> = {
    "invalid-scorecard": true,
    "unknown-scorecard": true,
    "unknown-metric": true,
    "invalid-raw": true,
    "scorer-failed": true,
  };

  test("has every code, and no other", () => {
    expect([...rows.keys()].filter((name) => name.includes("-"))).toEqual(Object.keys(codes));
  });
});
