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
  /** The first is in the README, which links the others. */
  const examples = ["read.ts", "merge.ts", "problem.ts", "own-format.ts"];
  const read = (name: string) => readFile(new URL(`../examples/${name}`, import.meta.url), "utf8");

  test("are all there", async () => {
    const files = await readdir(new URL("../examples/", import.meta.url));
    expect(files.filter((name) => name.endsWith(".ts"))).toEqual([...examples].sort());
    expect(blocks("ts")).toEqual([await read("read.ts")]);
    expect([...readme.matchAll(/\(examples\/(.*?\.ts)\)/g)].map(([, name]) => name)).toEqual(examples.slice(1));
  });

  test.each(examples)("%s prints what is said", async (name) => {
    const [, comment = ""] = (await read(name)).split("\n// It prints:\n");
    const said = name === examples[0] ? blocks("text")[0] : comment.replace(/^\/\/ /gm, "");
    const options = ["--conditions=@maturity/source", fileURLToPath(new URL(`../examples/${name}`, import.meta.url))];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    expect(stdout).toBe(said);
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
