import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "./support/markdown.ts";

/** Commands that fetch one of our packages, each with the text before it. Those of the workspace, or of its source, fetch none. */
function instructions(text: string): { readonly command: string; readonly line: number }[] {
  const runner = String.raw`(?:npx|bunx|(?:npm|pnpm|yarn|bun) +(?:i|install|add|exec|dlx|x))\b`;
  const ours = String.raw`(?!@?maturity/source )(?:@maturity/|\bmaturity(?:-service)?\b)`;
  const pattern = new RegExp(`${runner}(?:[^\\n\`]|\\\\\\n)*?${ours}(?:[^\\n\`]|\\\\\\n)*`, "g");
  return [...text.matchAll(pattern)]
    .map(({ 0: command, index }) => ({ command, line: text.slice(0, index).split("\n").length }))
    .filter(({ command }) => !command.includes("--filter"));
}

/** What keeps a command from being taken for one of the public registry: a word of where the packages are. */
const note = /\((?:\S*\/)?packages\.md(?:#\S+)?\)|(?:Nothing of this|None of them) is on a public registry/;

/** Does such a word stand before a command on its page, or close behind it? */
function isNoted(page: string, line: number): boolean {
  return note.test(page.split("\n", line + 6).join("\n"));
}

describe("our packages are on no public registry, where anybody may take their names", () => {
  const pages = globSync(["*.md", "docs/**/*.md", "{packages,services}/*/*.md"], { cwd: repository });
  const steps = globSync(
    ["packages/cli/ci/**/{Jenkinsfile,*.yml}", ".github/**/*.yml", "services/scoring/deploy/{Dockerfile,*.yaml}"],
    { cwd: repository },
  );
  const read = (path: string) => readFileSync(join(repository, path), "utf8");

  test("each page that fetches one says where from", () => {
    const said = pages.flatMap((path) => instructions(read(path)).map(({ line }) => ({ path, line })));
    expect(new Set(said.map(({ path }) => path)).size).toBeGreaterThan(9);
    expect(said.filter(({ path, line }) => !isNoted(read(path), line))).toEqual([]);
  });

  test("each step that fetches one names the registry", () => {
    const commands = steps.flatMap((path) => instructions(read(path)).map(({ command }) => command));
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toMatch(/"--@maturity:registry=\$\w+"/);
  });

  test.each([
    "npx @maturity/cli submit",
    "npx -y -p @maturity/cli maturity doctor",
    "npm install --global @maturity/cli",
    "npm i @maturity/core",
    "npm install --no-audit \\\n  @maturity/cli",
    "pnpm dlx @maturity/cli submit",
    "DATABASE_URL=x npx maturity-service",
  ])("%j is such a command", (text) => {
    expect(instructions(`First\n${text}\n`)).toMatchObject([{ line: 2 }]);
    expect(isNoted(text, 1)).toBe(false);
    expect(isNoted(`${text}\n\nFrom [a registry](packages.md).`, 1)).toBe(true);
  });

  test.each([
    "npx -y -p node@24 pnpm test",
    'pnpm install --filter "@maturity/service..."',
    "npm install\n@maturity/core is",
    "npx -y -p node@24 node --conditions=@maturity/source packages/cli/src/main.ts",
  ])("%j is none", (text) => expect(instructions(text)).toEqual([]));
});
