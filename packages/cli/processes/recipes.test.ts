import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../../services/scoring/test/support/markdown.ts";
import { listeningService } from "../test/support/listening-service.ts";
import type { Recipe } from "../test/support/recipe.ts";
import { recipes } from "../test/support/recipe-reports.ts";
import { checkov, lcov, semgrep, trivy } from "../test/support/sample-reports.ts";
import { type Shell, useShell } from "../test/support/shell.ts";

const service = listeningService();

/** The commands of a part of the page. */
const commandsIn = (section: string) => [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text).join("");

const page = await readFile(join(repository, "docs/recipes.md"), "utf8");
const [introduction = "", ...sections] = page.split(/^##+ /m);
const commands = new Map(sections.map((section) => [section.split("\n")[0] ?? "", commandsIn(section)]));

/** Runs what stands before all recipes, and then a recipe, and shows what is stored. */
async function paste(heading: string, recipe?: Recipe, given?: Shell) {
  const shell = given ?? (await useShell());
  const script = commandsIn(introduction) + commands.get(heading);
  if (recipe) {
    const { tool, file, exit = 0, report } = recipe;
    const text = typeof report === "string" ? report : JSON.stringify(report);
    await shell.write(tool || !file ? "report" : file, text);
    const write = file ? `mkdir -p "$(dirname ${file})" && cat report > ${file}` : "cat report";
    if (tool) await shell.program(tool, `${write}\nexit ${exit}`);
  }
  const app = `app of ${heading}`;
  const pasted = script.replace("http://127.0.0.1:8080", service.url).replace("=cart ", `='${app}' `);
  const { code, stderr } = await shell.run(pasted, {
    SONAR_TOKEN: "token",
    SONAR_HOST_URL: "https://sonar.example.com",
    DEFECTDOJO_TOKEN: "token",
    DEFECTDOJO_URL: "https://defectdojo.example.com",
    OTHER_TOKEN: "token",
    OTHER_URL: "https://other.example.com",
  });
  const stored = async (table: "scores" | "problems") => (await service.rows(table)).filter((row) => row.app === app);
  return { code, stderr, scores: await stored("scores"), problems: await stored("problems") };
}

const others = [
  "Five tools, one step",
  "Audits by hand",
  "Scheduled queries: `sla`, `mttr`, `mttd`, `change_failure_rate`",
];

test("every recipe is tried, and every report has a recipe", () => {
  const withCommands = [...commands].filter(([, text]) => text !== "").map(([heading]) => heading);
  expect(withCommands.sort()).toEqual([...Object.keys(recipes), ...others].sort());
});

test.each(Object.entries(recipes))("%s", async (heading, recipe) => {
  const { code, stderr, scores, problems } = await paste(heading, recipe);
  expect({ code, stderr: stderr.replaceAll(/^note: .*\n/gm, "") }).toEqual({ code: 0, stderr: "" });
  const target = { area: "shop", team: "checkout", env: "prod" };
  const expected = Object.entries(recipe.scores ?? {}).map(([metric, raw]) => ({ ...target, metric, raw }));
  expect(scores).toMatchObject(expected);
  expect(scores).toHaveLength(expected.length);
  expect(problems).toMatchObject(recipe.problem ? [{ ...target, ...recipe.problem }] : []);
  expect(problems).toHaveLength(recipe.problem ? 1 : 0);
});

test("Five tools, one step", async () => {
  const heading = "Five tools, one step";
  const shell = await useShell();
  const writes: Readonly<Record<string, readonly [path: string, report: string]>> = {
    trivy: ["reports/trivy.json", trivy],
    semgrep: ["reports/semgrep.json", semgrep],
    gitleaks: ["reports/gitleaks.json", "[]"],
    checkov: ["/dev/stdout", checkov],
    npx: ["reports/unit/lcov.info", lcov("cart.ts", 1, 2, 3, 4, 5)],
  };
  for (const [tool, [path, report]] of Object.entries(writes)) {
    await shell.write(`of-${tool}`, report);
    await shell.program(tool, `mkdir -p "$(dirname ${path})" && cat of-${tool} > ${path}`);
  }
  const { code, stderr, scores, problems } = await paste(heading, undefined, shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(Object.fromEntries(scores.map(({ metric, raw }) => [metric, raw]))).toEqual({
    image_scan: expect.objectContaining({ critical: 1, high: 2 }),
    sast: expect.objectContaining({ high: 1 }),
    secret_scan: { found: false, count: 0 },
    unit_coverage: { coverage_pct: 50, covered: 5, total: 10 },
  });
  expect(Object.fromEntries(problems.map(({ problem_type, count }) => [problem_type, count]))).toEqual({
    repository_secret: 0,
    misconfiguration: 1,
  });
});

test("Audits by hand", async () => {
  const { code, scores } = await paste("Audits by hand");
  expect(code).toBe(0);
  const enabled = Object.fromEntries(scores.map(({ metric, raw }) => [metric, (raw as { enabled: boolean }).enabled]));
  expect(enabled).toEqual({
    libs_secrets: true,
    libs_observability: true,
    unique_db_user: false,
    health_check: true,
  });
});
