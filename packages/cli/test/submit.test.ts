import { describe, expect, test } from "vitest";
import { hostileNames } from "../../../services/scoring/test/support/hostile-names.ts";
import { type Files, useDirectory } from "../../../test-support/trees.ts";
import { type CliOptions, maturity } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";
import { gitleaks, lcov, trivy } from "./support/sample-reports.ts";

const service = listeningService();

const submit = (argv: readonly string[], files?: Files, options?: CliOptions) =>
  service.maturity(["submit", ...argv], files, options);

const stored = async (app: string, metric: string) =>
  (await service.rows("scores")).find((row) => row.app === app && row.metric === metric);

test("a report: the score, why, and where it is stored", async () => {
  const result = await submit(["trivy.json"], { "trivy.json": trivy });
  expect(result).toEqual({
    code: 0,
    stdout: `image_scan 37.89 by @maturity/security@0.1.0
  1 critical finding leaves 50 % of the score; each one halves it
  2 high findings leave 76 % of the remaining score; every 5 of them halve it
stored for shop / checkout / cart / prod
the application scores 37.9; fix first: image_scan 37.89 → 100 gains 62.1 points
next step: image_scan critical 1 → 0 gains 37.9 points
${service.url}/board/?env=prod&area=shop&team=checkout&app=cart
`,
    stderr: "",
  });
  expect(await stored("cart", "image_scan")).toMatchObject({ raw: { critical: 1, high: 2, medium: 0, low: 1 } });
});

test("machines get all of it as JSON, and nothing else", async () => {
  const { stdout, stderr } = await submit(["--json", "-"], {}, { stdin: trivy });
  expect(JSON.parse(stdout)).toEqual({
    scores: [
      {
        area: "shop",
        team: "checkout",
        app: "cart",
        env: "prod",
        scorecard: "security",
        metric: "image_scan",
        score: 37.89,
        reasons: [expect.objectContaining({ field: "critical", value: 1 }), expect.objectContaining({ field: "high" })],
        scorer: "@maturity/security@0.1.0",
        reported_at: expect.any(String),
        stored: "current",
        report: { files: ["-"], format: "trivy", tool: "Trivy", evidence: "vulnerabilities are listed", notes: [] },
      },
    ],
    app: {
      score: 37.89,
      fix_first: { scorecard: "security", metric: "image_scan", score: 37.89, app_gain: expect.closeTo(62.11, 9) },
      next_step: {
        ...{ scorecard: "security", metric: "image_scan", field: "critical", from: 1, to: 0, score: 75.79 },
        app_gain: expect.closeTo(37.9, 9),
      },
    },
    board: `${service.url}/board/?env=prod&area=shop&team=checkout&app=cart`,
  });
  expect(stderr).toBe("");
});

test("an audit by hand", async () => {
  const { code, stdout } = await submit(["-m", "libs_secrets", "--raw", "enabled=true", "--app", "audited"]);
  expect({ code, score: stdout.split("\n")[0] }).toEqual({
    code: 0,
    score: "libs_secrets 100 by @maturity/application@0.1.0",
  });
  expect(await stored("audited", "libs_secrets")).toMatchObject({ raw: { enabled: true } });
});

test("values by hand complete a report", async () => {
  const { stdout } = await submit(
    ["--app", "completed", "--raw", "high=0", "--raw", "note=triaged", "-"],
    {},
    { stdin: trivy },
  );
  expect(stdout).toContain("image_scan 50 ");
  expect(await stored("completed", "image_scan")).toMatchObject({ raw: { critical: 1, high: 0, note: "triaged" } });
});

describe("several reports", () => {
  const shards = { "shard-1/lcov.info": lcov("cart.ts", 1, 2, 3), "shard-2/lcov.info": lcov("cart.ts", 3, 4, 5) };

  test.each<[string, string[]]>([
    ["by name", ["shard-1/lcov.info", "shard-2/lcov.info"]],
    ["by a pattern that no shell expanded", ["shard-*/lcov.info"]],
    ["by both, so that one is named twice", ["shard-1/lcov.info", "**/*.info"]],
  ])("of one test run are merged: %s", async (_, files) => {
    const { stdout } = await submit(["--metric", "unit_coverage", ...files], shards);
    expect(stdout).toMatch(/^unit_coverage 50 .*\n {2}the coverage by unit tests is 50 %,/);
  });

  test("one that is named in two ways counts once", async () => {
    const { stdout } = await submit(["trivy.json", "./trivy.json"], { "trivy.json": trivy });
    expect(stdout).toMatch(/^image_scan 37\.89 /m);
  });

  test("of several metrics are sent together", async () => {
    const files = { "trivy.json": trivy, "gitleaks.json": gitleaks("a.tf") };
    const { code, stdout } = await submit(["trivy.json", "gitleaks.json"], files);
    expect({ code, scores: stdout.match(/^\w+_scan \S+/gm) }).toEqual({
      code: 0,
      scores: ["image_scan 37.89", "secret_scan 0"],
    });
  });
});

describe("the run that reports", () => {
  const github = {
    GITHUB_ACTIONS: "true",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "shop/cart",
    GITHUB_RUN_ID: "4711",
    GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
  };
  const manual = ["-m", "health_check", "--raw", "enabled=true"];

  test("is taken from the CI", async () => {
    await submit([...manual, "--app", "by CI"], {}, { env: github });
    expect(await stored("by CI", "health_check")).toMatchObject({
      pipeline_id: "https://github.com/shop/cart/actions/runs/4711/attempts/1",
      project_repo: "https://github.com/shop/cart",
      raw: { enabled: true, commit: github.GITHUB_SHA },
    });
  });

  test("or from flags", async () => {
    const flags = ["--pipeline-id", "7", "--project-repo", "cart", "--commit", "v1.2.3"];
    await submit([...manual, ...flags, "--app", "by hand"], {}, { env: github });
    expect(await stored("by hand", "health_check")).toMatchObject({
      pipeline_id: "7",
      project_repo: "cart",
      raw: { enabled: true, commit: "v1.2.3" },
    });
  });

  test("is absent elsewhere", async () => {
    await submit([...manual, "--app", "nowhere"]);
    const row = await stored("nowhere", "health_check");
    expect(row).toMatchObject({ pipeline_id: null, project_repo: null, raw: { enabled: true } });
    expect(row?.raw).not.toHaveProperty("commit");
  });
});

describe("--dry-run", () => {
  test("scores here and sends nothing, without an address and a target", async () => {
    const cwd = await useDirectory();
    const fetch = () => Promise.reject(new Error("the network was used"));
    const argv = ["submit", "--dry-run", "-"];
    const here = await maturity(argv, { cwd, stdin: trivy, fetch });
    expect(here.code).toBe(0);
    expect(here.stdout).toMatch(/^image_scan 37\.89 .*nothing was sent \(--dry-run\)\n$/s);
  });

  test("gives the score of the service, and what would be sent", async () => {
    const dry = JSON.parse((await submit(["--json", "--dry-run", "-"], {}, { stdin: trivy })).stdout);
    const sent = JSON.parse((await submit(["--json", "-"], {}, { stdin: trivy })).stdout);
    const { reported_at: _, stored: __, ...score } = sent.scores[0];
    expect(dry).toEqual({
      dry_run: true,
      scores: [{ ...score, raw: { critical: 1, high: 2, medium: 0, low: 1, info: 0, unknown: 0 } }],
    });
  });

  test("takes scorecards of other packages", async () => {
    const files = {
      "acme-cost/package.json": JSON.stringify({
        name: "@acme/cost",
        type: "module",
        exports: "./index.js",
      }),
      "acme-cost/index.js": `
        const validate = (value) => value.spent >= 0 ? { value } : { issues: [{ path: ["spent"], message: "must be there" }] };
        export const cost = { contract: 1, name: "cost", dimension: "run", weight: 1,
          package: { name: "@acme/cost", version: "1.0.0" },
          metrics: [{ name: "budget", title: "Budget", weight: 1, raw: { "~standard": { version: 1, vendor: "x", validate } },
            score: ({ spent }) => ({ score: 100 - spent, reasons: [{ field: "spent", value: spent, text: "spent" }] }) }] };`,
    };
    const argv = ["--dry-run", "-m", "cost.budget", "--raw", "spent=40"];
    const byFlag = await submit([...argv, "--scorecards", "./acme-cost"], files);
    expect(byFlag.stdout).toMatch(/^budget 60 by @acme\/cost@1\.0\.0\n {2}spent\n/);
    const missing = await submit([...argv, "--scorecards", "@acme/docs"], files);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("@acme/docs is not installed beside this program"),
    });
    const refused = await submit(
      ["--dry-run", "-m", "cost.budget", "--raw", "x=1", "--scorecards", "./acme-cost"],
      files,
    );
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("raw.spent: must be there") });
  });
});

test("names with anything in them arrive whole, and show nothing but text", async () => {
  for (const app of hostileNames) {
    const { code, stdout } = await submit(
      ["-m", "sla", "--raw", "availability_pct=99", "--team", "hostile"],
      {},
      { env: { MATURITY_APP: app } },
    );
    expect({ app, code }).toEqual({ app, code: 0 });
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028]/u);
  }
  const apps = (await service.rows("scores")).filter(({ team }) => team === "hostile").map(({ app }) => app);
  expect(apps.sort()).toEqual(hostileNames.toSorted());
});
