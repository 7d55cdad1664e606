import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { maturity } from "./support/cli.ts";

const cost = `contract: 1
name: cost
version: 1.2.0
dimension: run
weight: 20
metrics:
  - name: budget
    title: Spending against the budget
    weight: 60
    inputs:
      spent_pct: { label: spending, unit: "% of the budget", min: 0, max: 140 }
    curve:
      piecewise: { field: spent_pct, points: [[100, 100], [110, 80], [150, 0]] }
    cases:
      - { raw: { spent_pct: 120 }, score: 60 }
  - name: waste
    title: What nobody uses
    curve:
      lowest_of:
        - halving: { idle: 4 }
        - log_piecewise: { field: days, points: [[1, 100], [100, 0]] }
        - pass_fail: { field: reserved }
    cases:
      - { raw: { idle: 0, days: 100, reserved: true }, score: 0 }
      - { raw: { idle: 0, days: 1, reserved: true }, score: 100 }
`;

/** A directory with the file cost.yaml. */
async function useFile(text = cost): Promise<string> {
  const cwd = await useDirectory();
  await writeFile(join(cwd, "cost.yaml"), text);
  return cwd;
}

describe("scorecard check", () => {
  test("says what is right, and shows what the scorecard makes of its inputs", async () => {
    const { code, stdout, stderr } = await maturity(["scorecard", "check", "cost.yaml"], { cwd: await useFile() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [first, , ...table] = stdout.trimEnd().split("\n");
    expect(first).toMatch(/^cost\.yaml is right: cost@1\.2\.0\+[0-9a-f]{8}, 2 metrics, 3 cases$/);
    expect(table.map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      "METRIC INPUT VALUE SCORE",
      ...["budget spent_pct 100 100", "budget spent_pct 105 90", "budget spent_pct 110 80", "budget spent_pct 130 40"],
      ...["waste idle 0 100", "waste idle 4 50", "waste idle 8 25", "waste idle 16 6.25"],
      ...["waste days 1 100", "waste days 10 50", "waste days 100 0"],
      ...["waste reserved false 0", "waste reserved true 100"],
      "Of a metric with several inputs, the others are as in its case with the highest score.",
    ]);
  });

  test("ends with 1 and all faults", async () => {
    const cwd = await useFile(cost.replace("weight: 20", "weight: -1").replace("score: 60", "score: 61"));
    const refused = await maturity(["scorecard", "check", "cost.yaml"], { cwd });
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: `maturity: the scorecard cost.yaml cannot be used:
  - line 5: weight must be above 0
  - line 15: metrics[0].cases[0].score is 61, but it scores 60: spending is 120 % of the budget, which scores 60; the score falls evenly from 80 at 110 % of the budget to 0 at 150 % of the budget
`,
    });
    const { code, stdout } = await maturity(["scorecard", "check", "cost.yaml", "--json"], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: "invalid-scorecard", details: [{}, {}] });
  });

  test("a single fault stands in one line", async () => {
    const cwd = await useFile(cost.replace("weight: 20", "weight: -1"));
    expect((await maturity(["scorecard", "check", "cost.yaml"], { cwd })).stderr).toBe(
      "maturity: the scorecard cost.yaml cannot be used: line 5: weight must be above 0\n",
    );
  });

  test("ends with 2 where there is no such file, or it has no end", async () => {
    const cwd = await useDirectory();
    const missing = await maturity(["scorecard", "check", "none.yaml"], { cwd });
    expect([missing.code, missing.stderr]).toEqual([2, "maturity: none.yaml cannot be read: there is no such file\n"]);
    expect(await maturity(["scorecard", "check", "/dev/zero"], { cwd })).toMatchObject({ code: 2, stdout: "" });
  });

  test("shows nothing of a file that a terminal would obey", async () => {
    const cwd = await useFile(cost.replace("weight: 20", '"we\\u001b[2Jight": 20'));
    const { code, stderr } = await maturity(["scorecard", "check", "cost.yaml"], { cwd, isTTY: true });
    expect(code).toBe(1);
    expect(stderr).not.toContain("\u001b[2J");
  });
});

test("scorecard preview shows how the scores of results are distributed", async () => {
  const cwd = await useFile();
  const body = (spent_pct: unknown) =>
    JSON.stringify({ app: "cart", scorecard: "cost", metric: "budget", raw: { spent_pct } });
  await writeFile(join(cwd, "raws.jsonl"), [96, 120, "80"].map(body).join("\n"));
  const { code, stdout } = await maturity(["scorecard", "preview", "cost.yaml", "raws.jsonl"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^cost\.budget: 2 of 3 raws scored, median 80\n/);
  expect(stdout).toContain("1  raw.spent_pct must be a number\n");
  const other = { scorecard: "security", metric: "dast", raw: { spent_pct: 110 } };
  await writeFile(join(cwd, "export.jsonl"), JSON.stringify(other));
  const borrowed = await maturity(["scorecard", "preview", "cost.yaml", "export.jsonl", "budget=security.dast"], {
    cwd,
  });
  expect(borrowed.stdout).toMatch(/^cost\.budget: 1 of 1 raws scored, median 80\n/);
  const wrong = await maturity(["scorecard", "preview", "cost.yaml", "cost.yaml"], { cwd });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("cost.yaml: line 1 is not JSON") });
});

describe("scorecard convert", () => {
  test("writes a package, with the version of the file", async () => {
    const cwd = await useFile();
    const line = ["scorecard", "convert", "cost.yaml", "--package", "@acme/cost", "-o", "here"];
    const { code, stdout } = await maturity(line, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^wrote @acme\/cost into here: \.github\/workflows\/ci\.yml, \.gitignore, index\.js, index\.test\.js, /,
    );
    const read = (path: string) => readFile(join(cwd, "here", path), "utf8");
    expect(JSON.parse(await read("package.json"))).toMatchObject({ name: "@acme/cost", version: "1.2.0" });
    expect(await read("index.js")).toContain('  score: piecewise("spent_pct", [[100, 100], [110, 80], [150, 0]]),\n');
    const again = await maturity(line, { cwd });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("here is not empty; name another folder") });
  });

  test("names package and folder by the scorecard", async () => {
    const cwd = await useFile(cost.replace("name: cost", "name: cloud_cost"));
    const { stdout } = await maturity(["scorecard", "convert", "cost.yaml", "--ci", "none", "--json"], { cwd });
    const files = [".gitignore", "index.js", "index.test.js", "package.json"];
    expect(JSON.parse(stdout)).toEqual({ package: "cloud-cost", folder: "cloud-cost", files });
    expect((await readdir(join(cwd, "cloud-cost"))).sort()).toEqual(files);
  });

  test.each([
    ["a package that npm does not take", ["--package", "Cost"], "the package must have a name that npm takes"],
    ["a registry that is no address", ["--registry", "x"], "--registry must be an address"],
    ["the folder of the caller", ["-o", "."], "is where you are"],
  ])("refuses %s, and writes nothing", async (_, flags, message) => {
    const cwd = await useFile();
    const { code, stderr } = await maturity(["scorecard", "convert", "cost.yaml", ...flags], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(await readdir(cwd)).toEqual(["cost.yaml"]);
  });

  test("refuses a file with a fault, and writes nothing", async () => {
    const cwd = await useFile(cost.replace("contract: 1", "contract: 2"));
    expect(await maturity(["scorecard", "convert", "cost.yaml"], { cwd })).toMatchObject({
      code: 2,
      stderr: "maturity: the scorecard cost.yaml cannot be used: line 1: contract must be 1\n",
    });
    expect(await readdir(cwd)).toEqual(["cost.yaml"]);
  });
});

describe("a gate", () => {
  const gate = ["gate", "--min", "60", "-m", "cost.budget", "--raw", "spent_pct=120"];

  test("scores by a file", async () => {
    const cwd = await useFile();
    expect(await maturity([...gate, "--scorecards", "cost.yaml"], { cwd })).toMatchObject({ code: 0 });
    const { code } = await maturity(gate.with(2, "61"), { cwd, env: { MATURITY_SCORECARDS: "./cost.yaml" } });
    expect(code).toBe(1);
  });

  test("takes no file by the word of maturity.yaml, which could lower it", async () => {
    const cwd = await useFile();
    await mkdir(join(cwd, ".git"));
    await writeFile(join(cwd, "maturity.yaml"), "scorecards: cost.yaml\n");
    expect(await maturity(gate, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('scorecards must be names of installed packages, which "cost.yaml" is not'),
    });
  });

  test("names each fault of a file", async () => {
    const cwd = await useFile(cost.replace("weight: 20", "weight: 0"));
    expect(await maturity([...gate, "--scorecards", "cost.yaml"], { cwd })).toMatchObject({
      code: 2,
      stderr: "maturity: the scorecard cost.yaml cannot be used: line 5: weight must be above 0\n",
    });
  });
});
