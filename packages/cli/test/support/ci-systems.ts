import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";
import { useDirectory } from "../../../../test-support/trees.ts";
import type { Run, Shell } from "./shell.ts";

const ci = fileURLToPath(new URL("../../ci/", import.meta.url));

/** The action of GitHub. */
export const action: string = await readFile(join(ci, "github/action.yml"), "utf8");
/** The component of GitLab. */
export const template: string = await readFile(join(ci, "gitlab/templates/maturity.yml"), "utf8");
/** The example of a pipeline of Jenkins. */
export const jenkinsfile: string = await readFile(join(ci, "jenkins/Jenkinsfile"), "utf8");

/** By the names of the component; those of the action have `-` for `_`. */
type Inputs = Readonly<Record<string, string>>;

/** What a CI does with its step: fills in the inputs, and runs the script in a shell. */
export type Step = (shell: Shell, inputs: Inputs, env?: Inputs) => Promise<Run>;

/** Each by its name. */
export const systems: Readonly<Record<"GitHub" | "GitLab", Step>> = {
  async GitHub(shell, inputs, env) {
    const { inputs: declared, runs } = parse(action);
    const [step] = runs.steps;
    const values = Object.fromEntries(
      Object.entries<{ default?: string }>(declared).map(([name, input]) => {
        return [name, inputs[name.replaceAll("-", "_")] ?? input.default ?? ""];
      }),
    );
    const fill = (text: string) => text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => String(values[name]));
    const variables = Object.entries<string>(step.env).map(([name, text]) => [name, fill(text)]);
    const path = { GITHUB_ACTION_PATH: join(ci, "github") };
    return shell.run(step.run, { ...env, ...path, ...Object.fromEntries(variables) }, ["sh", "-e"]);
  },

  async GitLab(shell, inputs, env) {
    const { maturity: job } = await expanded({ include: [{ local: "/maturity.yml", inputs }] });
    return shell.run(job?.script.join("\n") ?? "", { ...env, ...job?.variables }, ["sh", "-e"]);
  },
};

/** A job of GitLab, as far as it is looked at. */
interface Job {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly rules?: readonly object[];
}

/** The jobs of a pipeline of GitLab as its own rules expand it, checked against its schema. @throws when it is none */
export async function expanded(pipeline: object, component: string = template): Promise<Record<string, Job>> {
  const directory = await useDirectory();
  const git = (...parameters: string[]) => promisify(execFile)("git", parameters, { cwd: directory });
  await writeFile(join(directory, "maturity.yml"), component);
  await writeFile(join(directory, ".gitlab-ci.yml"), JSON.stringify(pipeline));
  await git("init", "--quiet");
  await git("remote", "add", "origin", "git@gitlab.example.com:shop/cart.git");
  await git("add", "."); // only what git knows is included
  const program = createRequire(import.meta.url).resolve("gitlab-ci-local");
  const run = await promisify(execFile)(process.execPath, [program, "--preview"], { cwd: directory });
  return parse(run.stdout);
}
