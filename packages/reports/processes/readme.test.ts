import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { application } from "@maturity/application";
import { createEngine, type Scorecard } from "@maturity/core";
import { security } from "@maturity/security";
import { describe, expect, test } from "vitest";
import { formats, type ReportMetric, readReport } from "../src/index.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

describe("examples", () => {
  /** In the order of the README. */
  const examples = ["read.ts", "merge.ts", "problem.ts", "own-format.ts"];

  test("are all there", async () => {
    const files = await readdir(new URL("../examples/", import.meta.url));
    expect(files.filter((name) => name.endsWith(".ts"))).toEqual([...examples].sort());
    expect(blocks("ts")).toHaveLength(examples.length);
    expect(blocks("text")).toHaveLength(examples.length);
  });

  test.each(examples.map((name, index) => ({ name, index })))("$name runs as shown", async ({ name, index }) => {
    const url = new URL(`../examples/${name}`, import.meta.url);
    expect(blocks("ts")[index]).toBe(await readFile(url, "utf8"));
    const options = ["--conditions=@maturity/source", fileURLToPath(url)];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    expect(blocks("text")[index]).toBe(stdout);
  });
});

describe("the examples of reports", () => {
  const folder = new URL("../examples/", import.meta.url);
  const table = [...readme.matchAll(/^\| `(\S+\.\S+)` \| `(\w+)` \| (\d+(?:\.\d+)?) \|$/gm)].map(
    ([, file = "", metric, score]) => ({ file, metric: metric as ReportMetric, score: Number(score) }),
  );

  test("are one for each metric that any format feeds", async () => {
    const files = await readdir(folder);
    expect(table.map(({ file }) => file).sort()).toEqual(files.filter((name) => !name.endsWith(".ts")).sort());
    expect(table.map(({ metric }) => metric).sort()).toEqual(
      [...new Set(formats.flatMap(({ metrics }) => metrics))].sort(),
    );
  });

  test.each(table)("$file gives $score for $metric", async ({ file, metric, score }) => {
    const { metrics } = readReport(await readFile(new URL(file, folder)), { metric, for: "score" });
    const scorecards: readonly Scorecard[] = [security, application];
    const { name = "" } = scorecards.find(({ metrics }) => metrics.some(({ name }) => name === metric)) ?? {};
    expect(createEngine(scorecards).score(name, metric, metrics[metric]).score).toBe(score);
  });
});
