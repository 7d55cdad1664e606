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
  /** Those of the README, in its order. */
  const shown = ["cost.ts", "score.ts"];
  const linked = ["roll-up.ts", "levels.ts", "reach.ts", "gain.ts"];
  const read = (name: string) => readFile(new URL(`../examples/${name}`, import.meta.url), "utf8");

  test("are all there", async () => {
    const examples = [...shown, ...linked, "check-scorecard.ts"];
    expect(await readdir(new URL("../examples/", import.meta.url))).toEqual(examples.sort());
    expect([...readme.matchAll(/\(examples\/(.*?)\)/g)].map(([, name]) => name)).toEqual([
      ...linked,
      "check-scorecard.ts",
    ]);
    expect(blocks("ts")).toHaveLength(shown.length);
    expect(blocks("text")).toHaveLength(1);
  });

  test.each(shown.map((name, index) => ({ name, index })))("$name is as shown", async ({ name, index }) => {
    expect(blocks("ts")[index]).toBe(await read(name));
  });

  test("score.ts prints what is shown", async () => expect(await runExample("score.ts")).toBe(blocks("text")[0]));

  test.each(linked)("%s prints what its last lines say", async (name) => {
    const [, said = ""] = (await read(name)).split("\n// It prints:\n");
    expect(await runExample(name)).toBe(said.replace(/^\/\/ /gm, ""));
  });

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
