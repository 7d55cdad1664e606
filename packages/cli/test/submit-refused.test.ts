import { describe, expect, test } from "vitest";
import type { Files } from "../../../test-support/trees.ts";
import { type CliOptions, maturity } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";
import { gitleaks, lcov, trivy } from "./support/sample-reports.ts";

const service = listeningService();

const submit = (argv: readonly string[], files?: Files, options?: CliOptions) =>
  service.maturity(["submit", ...argv], files, options);

describe("what cannot be read or sent is said", () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ["a file that is not there", ["gone.json"], {}, "gone.json cannot be read: there is no such file"],
    ["a pattern that matches nothing", ["*.sarif"], {}, "no file matches *.sarif"],
    ["nothing at all", [], {}, "give a report, or values with --raw"],
    ["values of no metric", ["--raw", "a=1"], {}, "values by --raw need --metric"],
    ["a metric that does not exist", ["-m", "coverage", "--raw", "a=1"], {}, "there is no metric coverage"],
    [
      "a value without its --raw",
      ["-m", "cost.budget", "-r", "spent=1", "left=2"],
      {},
      "; left=2 is taken for a file, so give each value a --raw of its own",
    ],
    ["a metric that no report feeds", ["-m", "sla", "a.json"], { "a.json": trivy }, "no report feeds sla"],
    ["a report of another metric", ["-m", "sast", "a.json"], { "a.json": trivy }, "a.json: "],
    ["a report of nothing known", ["a.txt"], { "a.txt": "hello" }, "a.txt: this looks like text; "],
    [
      "a report that is cut off",
      ["a.json"],
      { "a.json": trivy.slice(0, -20) },
      "a.json: this looks like Trivy JSON, but ",
    ],
    [
      "coverage of nobody knows which tests",
      ["a.info"],
      { "a.info": lcov("a.ts", 1) },
      "give --metric unit_coverage or ",
    ],
    [
      "values by hand for two metrics",
      ["--raw", "a=1", "a.json", "b.json"],
      { "a.json": trivy, "b.json": gitleaks("a.tf") },
      "so --raw needs --metric",
    ],
  ])("%s", async (_, argv, files, message) => {
    const result = await submit(argv, files);
    expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test.each(["image_scam", "security.image_scam"])("the metric %s, with the one that is near", async (metric) => {
    expect(await submit(["--metric", metric, "a.json"], { "a.json": trivy })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/; did you mean image_scan\? (?:There are|Reports feed) [a-z_]+, /),
    });
  });

  test("a format that does not exist, with those there are", async () => {
    expect(await submit(["--format", "triwy", "a.json"], { "a.json": trivy })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /: --format triwy: there is no format triwy; did you mean trivy\? There are artillery, bandit, .*zap-xml\n/,
      ),
    });
    const { stdout } = await maturity(["submit", "--help"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("maturity formats lists them");
  });

  test("a refused token, with where it came from", async () => {
    const answer = { statusCode: 401, code: "unauthorized", message: "the token is unknown", details: [] };
    const fetch = async () => Response.json(answer, { status: 401 });
    const argv = ["-m", "sla", "--raw", "availability_pct=1"];
    for (const [given, said] of [
      [{}, "there was none; set MATURITY_TOKEN, or give --token-file; maturity-service token create makes one"],
      [
        { MATURITY_TOKEN: "t0ken" },
        "the token came from MATURITY_TOKEN; give another; maturity-service token create makes one",
      ],
      [
        { MATURITY_ID_TOKEN: "t0ken" },
        "the token came from MATURITY_ID_TOKEN; OIDC_CONFIG of the service says which ID tokens it takes",
      ],
    ] as const) {
      expect(await submit(argv, {}, { fetch, env: given })).toEqual({
        code: 3,
        stdout: "",
        stderr: `maturity: the token is unknown (${said})\n`,
      });
    }
    const byFile = await submit([...argv, "--token-file", "token"], { token: "t0ken" }, { fetch });
    expect(byFile.stderr).toContain(
      "(the token came from --token-file; give another; maturity-service token create makes one)",
    );
  });

  test("every fault of a refusal has its line", async () => {
    const values = ["--raw", "error_rate=2", "--raw", "p95_ms=fast"];
    expect(await submit(["-m", "stress_test", ...values])).toEqual({
      code: 2,
      stdout: "",
      stderr: `maturity: the service refuses this (invalid-raw):
  - raw.error_rate must be a fraction from 0 to 1, as k6 reports it: 0.02 is 2 %
  - raw.p95_ms must be a number
  - raw.checks_pct is required
`,
    });
  });

  test("as JSON where asked for", async () => {
    const { code, stdout } = await submit(["--json", "-m", "mttr", "--raw", "minutes=-1"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 2,
      error: { code: "invalid-raw", details: [{ path: "raw.minutes" }] },
    });
  });

  test("nothing that a report or an answer holds moves the cursor", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J::error::\u009b";
    const report = JSON.stringify({ [evil]: 1 });
    const { stderr } = await submit(["evil.json"], { "evil.json": report });
    expect(stderr.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    const answer = {
      statusCode: 400,
      code: "invalid-payload",
      message: evil,
      details: [{ path: evil, message: evil }],
    };
    const fetch = async () => Response.json(answer, { status: 400 });
    const refused = await submit(["-m", "sla", "--raw", "availability_pct=1"], {}, { fetch });
    expect(refused.code).toBe(3);
    expect(refused.stderr.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

describe("where a problem cannot be sent after the scores", () => {
  const files = { "trivy.json": trivy, "gitleaks.json": gitleaks("a.tf") };
  const failing =
    (answer: () => Response): NonNullable<CliOptions["fetch"]> =>
    async (request) =>
      new URL(request.url).pathname === "/problem/scan-result" ? answer() : globalThis.fetch(request);
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const unavailable = () => new Response("<html>", { status: 503 });
  const argv = (app: string) => ["--timeout", "2", "--app", app, "--problems", "gitleaks.json=key,high", "."];

  test.each([
    [2, "html", page, []],
    [4, "busy", unavailable, []],
    [0, "soft", unavailable, ["--soft-fail"]],
  ])("the exit code is %i, and --json holds the stored scores beside the error", async (code, app, answer, soft) => {
    const result = await submit(["--json", ...soft, ...argv(app)], files, { fetch: failing(answer) });
    expect({ code: result.code, ...JSON.parse(result.stdout) }).toMatchObject({
      ...{ code, error: { message: expect.any(String) }, problems: [], in_doubt: ["key"], not_stored: [] },
      scores: expect.arrayContaining([expect.objectContaining({ metric: "image_scan", stored: "current" })]),
    });
    expect((await service.rows("scores")).some((row) => row.app === app && row.metric === "image_scan")).toBe(true);
  });

  test("the text says what is stored before the error", async () => {
    const { code, stdout, stderr } = await submit(argv("text"), files, { fetch: failing(page) });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: expect.stringMatching(/\nstored for shop \/ checkout \/ text \/ prod\n$/),
      stderr: expect.stringMatching(/warning: the problem key may be stored\nmaturity: .+\n$/),
    });
  });

  test("a problem whose answer is lost is named apart from those that were not sent", async () => {
    const fetch: CliOptions["fetch"] = async (request) => {
      const answer = await globalThis.fetch(request);
      if (new URL(request.url).pathname !== "/problem/scan-result") return answer;
      throw new TypeError("fetch failed");
    };
    const both = { ...files, "second.json": gitleaks("b.tf") };
    const lost = ["--problems", "second.json=second,high", ...argv("lost")];
    const { code, stdout } = await submit(["--json", ...lost], both, { fetch });
    const document = { problems: [], in_doubt: ["key"], not_stored: ["second"] };
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 4, ...document });
    const { stderr } = await submit(lost, both, { fetch });
    const warnings = "warning: the problem key may be stored\nwarning: not stored are the problems second\n";
    expect(stderr).toContain(`${warnings}maturity: cannot reach`);
    const rows = (await service.rows("problems")).filter(({ app }) => app === "lost");
    expect(rows.map((row) => row.problem_type)).toEqual(["key"]);
  });

  test("the error stands alone where nothing is stored", async () => {
    const report = {
      ...{ SchemaVersion: 2, ArtifactName: ".", ArtifactType: "filesystem" },
      Results: [{ Target: "a.tf", Class: "config", Type: "terraform", MisconfSummary: { Successes: 5, Failures: 0 } }],
    };
    const alone = ["--json", "--app", "none", "--problems", "c.json=iac,misconfigurations,high", "c.json"];
    const { code, stdout } = await submit(alone, { "c.json": JSON.stringify(report) }, { fetch: failing(page) });
    expect({ code, document: JSON.parse(stdout) }).toEqual({ code: 2, document: { error: expect.any(Object) } });
  });
});
