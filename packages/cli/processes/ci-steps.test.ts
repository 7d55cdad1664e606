import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systems } from "../test/support/ci-systems.ts";
import { listeningService } from "../test/support/listening-service.ts";
import { recipes } from "../test/support/recipe-reports.ts";
import { checkov, gitleaks, lcov, semgrep } from "../test/support/sample-reports.ts";
import { addNpm, useShell } from "../test/support/shell.ts";

const service = listeningService();

const scan = JSON.stringify(recipes.Trivy?.report);
const fiveTools = {
  "trivy.json": scan,
  "semgrep.json": semgrep,
  "gitleaks.json": gitleaks("main.tf"),
  "checkov.json": checkov,
  "unit/lcov.info": lcov("cart.ts", 1, 2, 3),
};
const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };

describe.each(Object.entries(systems))("the step of %s", (system, step) => {
  const app = `cart of ${system}`;
  const stored = async (table: "scores" | "problems") => (await service.rows(table)).filter((row) => row.app === app);

  test("sends a score", async () => {
    const shell = await useShell();
    await shell.write("reports/trivy 1.json", scan);
    const { code, stdout } = await step(shell, {
      ...target,
      app,
      url: service.url,
      metric: "image_scan",
      files: "reports/*.json\n",
      raw: "note=a b\n\nshards=1\n",
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("image_scan") });
    expect(await stored("scores")).toMatchObject([
      { ...target, app, metric: "image_scan", raw: { high: 1, medium: 1, note: "a b", shards: 1 } },
    ]);
  });

  test("sends all that five tools wrote, and opens the problems that are asked for", async () => {
    const shell = await useShell();
    for (const [name, report] of Object.entries(fiveTools)) await shell.write(`reports/${name}`, report);
    const { code, stdout } = await step(shell, {
      ...target,
      app: `${app}, all of it`,
      url: service.url,
      files: "reports",
      metric: "lcov.info=unit_coverage\n",
      format: "gitleaks.json=gitleaks\n",
      problems: "gitleaks.json=repository_secret,high\ncheckov.json=misconfiguration,medium\n",
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("trivy.json      trivy     image_scan"),
    });
    const of = async (table: "scores" | "problems", name: string) =>
      (await service.rows(table)).filter((row) => row.app === `${app}, all of it`).map((row) => row[name]);
    expect((await of("scores", "metric")).sort()).toEqual(["image_scan", "sast", "secret_scan", "unit_coverage"]);
    expect((await of("problems", "problem_type")).sort()).toEqual(["misconfiguration", "repository_secret"]);
  });

  test("takes what is not among its inputs from the environment", async () => {
    const shell = await useShell();
    const env = {
      MATURITY_URL: service.url,
      ...Object.fromEntries(Object.entries(target).map(([name, value]) => [`MATURITY_${name.toUpperCase()}`, value])),
      MATURITY_APP: app,
    };
    await shell.write("trivy.json", scan);
    const inputs = {
      command: "problem report",
      type: "vulnerable_image",
      kind: "vulnerabilities",
      files: "trivy.json",
    };
    expect(await step(shell, inputs, env)).toMatchObject({ code: 0 });
    expect(await stored("problems")).toMatchObject([
      { ...target, app, problem_type: "vulnerable_image", severity: "high", count: 2 },
    ]);
  });

  test("fails with the gate, unless asked to go on", async () => {
    const shell = await useShell();
    await shell.write("trivy.json", scan);
    const inputs = { command: "gate", metric: "image_scan", min: "99", files: "trivy.json" };
    expect(await step(shell, inputs)).toMatchObject({ code: 1, stdout: expect.stringContaining("not met") });
    expect(await step(shell, { ...inputs, soft_fail: "true" })).toMatchObject({ code: 0 });
    expect(await step(shell, { ...inputs, min: "1" })).toMatchObject({ code: 0 });
  });

  test("fails where the score is worse than the stored one, and shows it where people look", async () => {
    const shell = await useShell();
    const common = {
      ...target,
      app: `${app}, worse`,
      url: service.url,
      metric: "unit_coverage",
      raw: "coverage_pct=50",
    };
    const files = { GitHub: ["github-summary"], GitLab: ["maturity-report/summary.md"] }[system] ?? [];
    const env = { GITHUB_STEP_SUMMARY: system === "GitHub" ? join(shell.directory, "github-summary") : "" };
    const summary = async () => (await readFile(join(shell.directory, files[0] ?? ""), "utf8")).split("###").at(-1);
    expect(await step(shell, common, env)).toMatchObject({ code: 0 });
    expect(await summary()).toContain("\n| `unit_coverage` |  | 50 |  |\n");
    const worse = { ...common, raw: "coverage_pct=40", command: "gate", no_worse: "true" };
    expect(await step(shell, worse, env)).toMatchObject({ code: 1, stdout: expect.stringContaining("not met") });
    expect(await summary()).toContain("❌ no worse than stored: not met\n\n| metric");
    expect(await summary()).toContain("\n| `unit_coverage` | 50 | 40 | −10 |\n");
    expect(await step(shell, { ...worse, app_min: "40", no_worse: "false", max_drop: "10" }, env)).toMatchObject({
      code: 0,
    });
    if (system === "GitLab") {
      const read = (name: string) => readFile(join(shell.directory, "maturity-report", name), "utf8");
      expect(await read("metrics.txt")).toContain(
        '\nmaturity_score{scorecard="application",metric="unit_coverage"} 40\n',
      );
      expect(JSON.parse(await read("links.json"))).toEqual({
        Maturity: [{ external_link: { label: expect.any(String), url: expect.stringContaining("/board/?env=prod") } }],
      });
    }
  });

  test("fails where a problem is not open already", async () => {
    const shell = await useShell();
    await shell.write("gitleaks.json", gitleaks("main.tf"));
    const problems = { problems: "gitleaks.json=repository_secret,high", no_new_problems: "true" };
    const inputs = { ...target, app: `${app}, secrets`, url: service.url, files: "gitleaks.json", ...problems };
    const notMet = { code: 1, stdout: expect.stringContaining("not met") };
    expect(await step(shell, { ...inputs, command: "gate" })).toMatchObject(notMet);
    expect(await step(shell, inputs)).toMatchObject(notMet); // and opens it
    expect(await step(shell, inputs)).toMatchObject({ code: 0 });
  });

  test("brings the program where there is none", async () => {
    const shell = await useShell({ maturity: false });
    await addNpm(shell);
    await shell.write("trivy.json", scan);
    const inputs = { command: "gate", min: "1", files: "trivy.json", registry: "https://npm.example.com" };
    expect(await step(shell, { ...inputs, version: "0.0.7" })).toMatchObject({ code: 0 });
    const [folder, ...given] = (await readFile(join(shell.directory, "installed"), "utf8")).trimEnd().split("\n");
    expect(given.slice(-2)).toEqual(["--@maturity:registry=https://npm.example.com", "@maturity/cli@0.0.7"]);
    expect(given).toContain("--ignore-scripts");
    expect(folder).not.toContain(shell.directory);
    await expect(readFile(join(folder ?? "", "package.json"))).rejects.toThrow("ENOENT"); // it is gone again
    expect(await step(shell, { ...inputs, version: "0.0.7", min: "101" })).toMatchObject({ code: 2 });
  });

  test("brings what collect needs too, and for collect alone", async () => {
    const shell = await useShell({ maturity: false });
    await addNpm(shell);
    await shell.write("collect.yaml", "{}");
    const inputs = { command: "collect", files: "collect.yaml", registry: "https://npm.example.com", version: "0.0.7" };
    const { code, stderr } = await step(shell, { ...inputs, dry_run: "true" });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("collect.yaml cannot be used") });
    const given = (await readFile(join(shell.directory, "installed"), "utf8")).trimEnd().split("\n");
    expect(given.slice(-2)).toEqual(["@maturity/cli@0.0.7", "@maturity/collect@0.0.7"]);
  });

  test("gives every input to the program as it is", async () => {
    const shell = await useShell({ maturity: false });
    await shell.program("maturity", `printf '%s\\n' "$@"`);
    const { code, stdout } = await step(shell, {
      command: "submit",
      ...{
        metric: "m\n*.info=n",
        format: "f",
        problems: "a.json=t,secrets,high\n b=c \n",
        exclude: "x y\n*.md",
        keep_going: "true",
        min: "1",
        max_age: "7d",
        no_worse: "true",
        max_drop: "2",
        app_min: "3",
        no_new_problems: "true",
        comment: "true",
        comment_name: "n",
        type: "t",
        kind: "secrets",
        severity: "s",
        chat_channel: "#c",
        scorecards: "a,b",
      },
      ...{
        area: "-x",
        team: "a  b",
        app: "--",
        env: "*",
        url: "u",
        assume_scanned: "true",
        assume_severity: "high",
        dry_run: "true",
        soft_fail: "true",
      },
      ...{ raw: "a='b'\n  c=\\n  ", files: "-\n--json\n[x] y\n" },
      ...(system === "GitHub" && { audience: "aud" }),
    });
    const audience = system === "GitHub" ? ["--audience=aud"] : [];
    const report = system === "GitLab" ? ["--gitlab=maturity-report"] : [];
    expect({ code, given: stdout.split("\n").slice(0, -1) }).toEqual({
      code: 0,
      given: [
        ...[
          "submit",
          ...report,
          "--gate",
          "--min=1",
          "--max-age=7d",
          "--no-worse",
          "--max-drop=2",
          "--app-min=3",
          "--no-new-problems",
          "--comment",
          "--comment-name=n",
          "--type=t",
          "--secrets",
          "--severity=s",
          "--chat-channel=#c",
        ],
        ...["--area=-x", "--team=a  b", "--app=--", "--env=*", "--scorecards=a,b", "--url=u", ...audience],
        ...[
          "--assume-scanned",
          "--assume-severity=high",
          "--keep-going",
          "--dry-run",
          "--soft-fail",
          "--metric=m",
          "--metric=*.info=n",
        ],
        ...["--format=f", "--problems=a.json=t,secrets,high", "--problems=b=c", "--exclude=x y", "--exclude=*.md"],
        ...["--raw=a='b'", "--raw=c=\\n", "--", "-", "--json", "[x] y"],
      ],
    });
  });

  test("no input becomes a part of the script", async () => {
    const shell = await useShell({ maturity: false });
    await shell.program("maturity", `printf '%s\\n' "$@"`);
    const hostile = [
      `"; touch taken; "`,
      "$(touch taken)",
      "`touch taken`",
      "END",
      "'; touch taken; '",
      "&& touch taken",
    ];
    const text = hostile.join("\n");
    const names = ["metric", "area", "url", "files", "raw"];
    const { stdout } = await step(shell, Object.fromEntries(names.map((name) => [name, text])));
    for (const line of hostile) expect(stdout.split(line).length - 1, line).toBe(names.length);
    await expect(readFile(join(shell.directory, "taken"))).rejects.toThrow("ENOENT");
  });
});

test("the token of the action stands in the environment of the program, never on its command line", async () => {
  const shell = await useShell({ maturity: false });
  await shell.program("maturity", `printf '%s\\n' "$MATURITY_TOKEN" "$@"`);
  const { stdout } = await systems.GitHub(shell, { token: "t0ken" }, { MATURITY_TOKEN: "other" });
  expect(stdout).toBe("t0ken\nsubmit\n--\n");
  const { stdout: found } = await systems.GitHub(shell, {}, { MATURITY_TOKEN: "other" });
  expect(found).toBe("other\nsubmit\n--\n");
});

test("the action gives the program the token of GitHub only where it comments", async () => {
  const shell = await useShell({ maturity: false });
  await shell.program("maturity", `printf '%s\\n' "\${GITHUB_TOKEN-none}"`);
  const inputs = { command: "gate", min: "1", github_token: "t0ken" };
  expect((await systems.GitHub(shell, inputs)).stdout).toBe("none\n");
  expect((await systems.GitHub(shell, { ...inputs, comment: "true" })).stdout).toBe("t0ken\n");
});
