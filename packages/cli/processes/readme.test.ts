import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { useService } from "../../../services/scoring/test/support/service.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import { commands } from "../src/commands.ts";
import { exitCodes } from "../src/exit-codes.ts";
import { settingNames } from "../src/settings.ts";
import { programEnvironment, withoutTimes } from "../test/support/program.ts";
import { checkov, gitleaks, lcov, trivy } from "../test/support/sample-reports.ts";

const files: Readonly<Record<string, string>> = {
  "trivy.json": trivy,
  "reports/checkov.json": checkov,
  "reports/gitleaks.json": gitleaks("main.tf", "vpc.tf"),
  "reports/junit.xml": "<testsuites/>",
  "reports/trivy.json": trivy,
  "reports/unit/1/lcov.info": lcov("cart.ts", 1, 2, 3),
  "reports/unit/2/lcov.info": lcov("cart.ts", 3, 4, 5),
};

test("the commands of README.md print what it shows", async () => {
  const { server } = await useService();
  await server.start();
  const directory = await useDirectory();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(directory, name, ".."), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  const address = "http://127.0.0.1:8080";
  const env = await programEnvironment(server.info.uri);
  const run = async (script: string): Promise<string> => {
    const pasted = script.replaceAll(address, server.info.uri);
    const ended = promisify(execFile)("sh", ["-c", pasted], { cwd: directory, env });
    const { stdout } = await ended.catch((error) => error);
    return withoutTimes(stdout).replaceAll(server.info.uri, address);
  };
  let printed = "";
  for (const { info, text } of await blocks("packages/cli/README.md")) {
    if (info === "run") printed = await run(text);
    if (info === "output") expect(printed).toBe(text);
  }
});

test("docs/commands.md shows every command, setting and exit code", async () => {
  const page = await readFile(new URL("../../../docs/commands.md", import.meta.url), "utf8");
  const lines = page.split("\n");
  for (const name of Object.keys(commands)) expect(page).toMatch(new RegExp(`^### \`maturity ${name}[ \`]`, "m"));
  const rows = lines.filter((line) => line.startsWith("| "));
  for (const [key, { flag, variable }] of Object.entries(settingNames)) {
    const ofFile = key === "audience" ? "|" : `\`${key}\` |`;
    expect(rows).toContain(`| \`${flag}\` | \`${variable}\` | ${ofFile}`);
  }
  const codes = rows.flatMap((row) => /^\| (\d+) \| \S/.exec(row)?.[1] ?? []);
  expect(codes.map(Number)).toEqual(Object.values(exitCodes));
});
