import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { folderCommands } from "./support/folder.ts";
import { gitleaks, semgrep, trivy } from "./support/sample-reports.ts";

const { submit, stored } = folderCommands();

const _gatling = JSON.stringify({
  type: "GROUP",
  name: "All Requests",
  stats: {
    name: "All Requests",
    numberOfRequests: { total: 10, ok: 9, ko: 1 },
    percentiles3: { total: 9, ok: 9, ko: 9 },
  },
});

/** A clean scan for secrets. */
const cleanGitlab = JSON.stringify({
  version: "15.0.0",
  vulnerabilities: [],
  scan: { type: "secret_detection", status: "success", scanner: { id: "g", name: "G" } },
});

/** Another one, cut off before it says of which format it is. */
const cutGitlab = '{"version":"15.0.0","vulnerabilities":[{"id":"1","category":"secret_detection","raw_source';

describe("--keep-going", () => {
  test("sends the others, says what failed, and ends with 2", async () => {
    const files = { "d/trivy.json": trivy.slice(0, -20), "d/semgrep.json": semgrep };
    const { code, stderr } = await submit(["--keep-going", "d"], files, "going");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^warning: d\/trivy\.json: .*; going on without it \(--keep-going\)\n$/),
    });
    expect(await stored("going")).toEqual({ sast: expect.objectContaining({ high: 1 }) });
  });

  test("never makes half a scan a whole one", async () => {
    const files = { "d/1.json": "[]", "d/2.json": gitleaks("a.tf").slice(0, -5), "d/trivy.json": trivy };
    const argv = ["--metric", "?.json=secret_scan", "--problems", "?.json=secret,secrets,high", "--keep-going", "d"];
    const { code, stdout } = await submit(argv, files, "half");
    expect(code).toBe(2);
    expect(stdout).toContain("passed over: secret_scan may lack d/2.json, so it is not sent");
    expect(Object.keys(await stored("half"))).toEqual(["image_scan"]);
    const shards = { "d/1.json": gitleaks("b.tf"), "d/2.json": gitleaks("a.tf").slice(0, -5), "d/trivy.json": trivy };
    await submit(["--keep-going", "d"], shards, "half");
    expect(Object.keys(await stored("half"))).toEqual(["image_scan"]);
  });

  test("nor a scan whole of which a part cannot be opened", async () => {
    const deep = { [`d/${"x/".repeat(40)}2.json`]: gitleaks("b.tf"), "d/1.json": gitleaks("a.tf") };
    const { code, stdout } = await submit(["--keep-going", "d"], deep, "half open");
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("secret_scan may lack d/x/x") });
    expect(await stored("half open")).toEqual({});
  });

  test("nor a scan whole of which the broken part is named for a problem", async () => {
    const files = { "d/gitleaks-1.json": gitleaks("a.tf").slice(0, -5), "d/gitleaks-2.json": "[]" };
    const argv = ["--format", "gitleaks-*.json=gitleaks", "--problems", "gitleaks-*.json=leak,high"];
    const { code, stdout } = await submit([...argv, "--keep-going", "d"], files, "named part");
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringContaining("secret_scan may lack d/gitleaks-1.json"),
    });
    expect(await stored("named part")).toEqual({});
  });

  test.each<[string, string | Uint8Array]>([
    ["is cut off", cutGitlab],
    ["is a damaged gzip file", gzipSync(gitleaks("a.tf")).subarray(0, 60)],
  ])("nor any scan where a file of nobody knows which format %s", async (_, broken) => {
    const files = { "d/a.json": cleanGitlab, "d/b": broken, "d/trivy.json": trivy };
    const { code, stdout } = await submit(["--keep-going", "d"], files, "unknown part");
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("secret_scan may lack d/b, so") });
    expect(await stored("unknown part")).toEqual({});
  });

  test("sends all where such a file is left out", async () => {
    const files = { "d/a.json": cleanGitlab, "d/b.json": cutGitlab };
    expect(await submit(["--exclude", "d/b.json", "d"], files, "left out")).toMatchObject({ code: 0 });
    expect(await stored("left out")).toEqual({ secret_scan: { found: false, count: 0 } });
  });

  test("sends nothing where nothing is left", async () => {
    const { code, stdout } = await submit(["--keep-going", "d"], { "d/trivy.json": trivy.slice(0, -20) }, "none");
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("failed: ") });
  });
});
