import { describe, expect, test } from "vitest";
import type { Files } from "../../../test-support/trees.ts";
import type { CliOptions } from "./support/cli.ts";
import { claims, fiveTools, folderCommands } from "./support/folder.ts";
import { semgrep, trivy } from "./support/sample-reports.ts";

const { submit, detect, stored } = folderCommands();

describe("maturity detect", () => {
  const nowhere: CliOptions = { fetch: () => Promise.reject(new Error("the network was used")) };

  test("says the same as submit --dry-run, and sends nothing", async () => {
    const said = await detect([...claims, "reports"], fiveTools, "detected", nowhere);
    const tried = await submit(["--dry-run", ...claims, "reports"], fiveTools, "detected", nowhere);
    expect(said).toEqual({ ...tried, code: 0, stdout: tried.stdout.replace(" (--dry-run)", "") });
    expect(said.stdout).toMatch(/^unit_coverage 50 by @maturity\/application@/m);
    expect(await stored("detected")).toEqual({});
  });

  test("shows for each file the same as submit", async () => {
    const said = await detect([...claims, "reports"], fiveTools, "detected", nowhere);
    const done = await submit([...claims, "reports"], fiveTools, "submitted");
    expect(said.stdout.split("\n").slice(0, 6)).toEqual(done.stdout.split("\n").slice(0, 6));
  });

  test("as JSON, with the values that would be sent", async () => {
    const { stdout } = await detect(["--json", ...claims, "reports"], fiveTools, "x", nowhere);
    expect(JSON.parse(stdout)).toMatchObject({
      files: { length: 6 },
      scores: expect.arrayContaining([
        expect.objectContaining({
          metric: "unit_coverage",
          score: 50,
          raw: { coverage_pct: 50, covered: 5, total: 10 },
        }),
      ]),
      problems: expect.arrayContaining([
        expect.objectContaining({ problem_type: "repository_secret", severity: "high", count: 1 }),
      ]),
    });
  });

  test.each<[string, Files, number]>([
    ["what would be sent", { "d/trivy.json": trivy }, 0],
    ["a broken report", { "d/trivy.json": trivy.slice(0, -20) }, 2],
    ["nothing", {}, 5],
  ])("ends as submit would: %s", async (_, files, code) => {
    const tree = { ...files, "d/readme.txt": "hello" };
    for (const argv of [["d"], ["--json", "d"]]) {
      expect((await detect(argv, tree, "x", nowhere)).code).toBe(code);
    }
    expect((await submit(["--dry-run", "d"], tree, "x", nowhere)).code).toBe(code);
  });

  test("what is no report does not end it: settings with comments, Markdown with HTML", async () => {
    const tree = {
      "d/trivy.json": trivy,
      "d/tsconfig.json": '{\n  "compilerOptions": { "strict": true }, // all of it\n}\n',
      "d/readme.md": '<p align="center">\n  <img src="logo.png">\n</p>\n\n# Shop\n',
    };
    const { code, stdout } = await detect(["d"], tree, "x", nowhere);
    expect(code).toBe(0);
    expect(stdout).toContain("d/trivy.json");
  });

  test("of one file, and of standard input", async () => {
    const { stdout } = await detect(["trivy.json"], { "trivy.json": trivy }, "x", nowhere);
    expect(stdout).toMatch(/^trivy\.json {2}trivy {2}image_scan\nimage_scan \d/);
    expect(await detect(["-"], {}, "x", { ...nowhere, stdin: semgrep })).toMatchObject({ code: 0 });
    expect(await detect([], {}, "x", nowhere)).toMatchObject({ code: 2 });
  });
});
