import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { listeningService } from "./support/listening-service.ts";
import { gitleaks } from "./support/sample-reports.ts";

const service = listeningService();

/** What the command appends to the summary of a step. */
async function summaryOf(argv: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await useTree({ ...files, "summary.md": "" });
  const path = join(cwd, "summary.md");
  const { stderr } = await service.maturity(argv, {}, { cwd, env: { GITHUB_STEP_SUMMARY: path } });
  expect(stderr).not.toContain("could not be written");
  return readFile(path, "utf8");
}

const problem = ["problem", "report", "--type", "leak", "--severity", "high", "leaks.json"];

test("a problem is said with its findings and its alert", async () => {
  expect(await summaryOf(problem, { "leaks.json": gitleaks("main.tf") })).toBe(`### Maturity: problem stored

\`shop\` / \`checkout\` / \`cart\` / \`prod\`

- leak 1 finding, high
- \`main.tf:1  AWS access key\`
- stored; the service sends no alerts

`);
  const dryRun = await summaryOf([...problem, "--dry-run"], { "leaks.json": gitleaks("main.tf") });
  expect(dryRun).toMatch(/^### Maturity: nothing was sent\n/);
  const gone = await summaryOf(["problem", "report", "--type", "leak", "--count", "0"]);
  expect(gone).toContain("- `leak clean: 0 findings`\n");
});

test("what a report says stays text", async () => {
  const summary = await summaryOf(problem, { "leaks.json": gitleaks("[x](javascript:alert(1))", "<b>|`") });
  expect(summary).toContain("- `[x](javascript:alert(1)):1  AWS access key`\n");
  expect(summary).toContain("<code>&#60;b&#62;&#124;&#96;&#58;2  AWS access key</code>");
});

test("submit shows the problems of reports beside the scores", async () => {
  const summary = await summaryOf(
    ["submit", "reports", "--problems", "leaks.json=repository_leak,high", "--format", "leaks.json=gitleaks"],
    { "reports/leaks.json": gitleaks("main.tf") },
  );
  expect(summary).toContain("### Maturity: results stored");
  expect(summary).toContain("| `secret_scan` |");
  expect(summary).toContain("- `repository_leak 1 finding, high`\n- `main.tf:1  AWS access key`\n");
});

test("a gate says what would reach the minimum, in lines", async () => {
  const summary = await summaryOf([
    "gate",
    "--metric",
    "sast",
    "--min",
    "80",
    "--raw",
    "critical=0",
    "--raw",
    "high=4",
    "--raw",
    "medium=40",
  ]);
  expect(summary).toMatch(/^- `to reach 80, all of:`\n- .*medium: 40 → at most 6.*\n- .*high: 4 → 0/m);
});

test("collect shows what each query did", async () => {
  const collect = JSON.stringify({
    sources: { nobody: { prometheus: "http://127.0.0.1:1" } },
    target: { area: "shop", team: "checkout", app: "$app", env: "prod" },
    queries: [
      { name: "availability", source: "nobody", query: "up", metric: "sla", raw: { availability_pct: "$value" } },
    ],
  });
  const summary = await summaryOf(["collect", "collect.yaml"], { "collect.yaml": collect });
  expect(summary).toMatch(
    /^### Maturity: queries run\n\n- `availability \(sla\): 0 sent`\n- `availability: .*127\.0\.0\.1.*`\n\n$/,
  );
});
