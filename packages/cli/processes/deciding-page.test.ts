import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { recordRules } from "../../../services/scoring/src/policy/recorded.ts";
import { applyPolicy, noPolicy } from "../../../services/scoring/src/policy/rules.ts";
import { blocks, holding } from "../../../services/scoring/test/support/markdown.ts";
import { shippedEngine, useService } from "../../../services/scoring/test/support/service.ts";
import { useServiceProcess } from "../../../services/scoring/test/support/service-process.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import { onlyAsks, programEnvironment, withoutTimes } from "../test/support/program.ts";

test("the commands of docs/deciding.md work when pasted, and print what it shows", async () => {
  const service = await useService();
  const rules = applyPolicy(shippedEngine.scorecards, noPolicy);
  await recordRules(service.database, rules, { actor: "the first start", file: undefined });
  await service.server.start();
  const cwd = await useDirectory();
  let url = service.server.info.uri;
  let env = await environment(url, service.databaseUrl);
  const run = async (script: string) => {
    const pasted = script.replaceAll(shownUrl, url);
    const { stdout } = await promisify(execFile)("sh", ["-ec", pasted], { cwd, env });
    return withoutTimes(stdout.replaceAll(url, shownUrl)).replaceAll(`(${userInfo().username})`, "(ann)");
  };
  let script = "";
  let printed = "";
  let compared = 0;
  for (const { language, info, text } of await blocks("docs/deciding.md")) {
    if (info.includes(".")) await writeFile(join(cwd, info), text);
    if (info === "restart") {
      await service.server.stop();
      url = await startAsSaid(text, service.databaseUrl, cwd);
      env = await environment(url, service.databaseUrl);
    } else if (language === "sh") {
      script = text;
      printed = await run(script);
    }
    if (info !== "output") continue;
    compared++;
    const compare = (printed: string) => {
      if (language === "json") expect(JSON.parse(printed)).toEqual(holding(JSON.parse(text)));
      else expect(printed).toBe(text);
    };
    if (!onlyAsks(script)) compare(printed);
    // Roll-ups are up to 15 seconds old.
    else await vi.waitFor(async () => compare(await run(script)), { timeout: 60_000, interval: 500 });
  }
  expect(compared).toBeGreaterThan(5);
});

const shownUrl = "http://127.0.0.1:8080";

/** The environment of a shell on the machine of the service, in which both programs are those of the sources. */
async function environment(url: string, databaseUrl: string): Promise<Record<string, string>> {
  const { PATH = "", ...variables } = await programEnvironment(url);
  const bin = await useDirectory();
  const main = new URL("../../../services/scoring/src/main.ts", import.meta.url).pathname;
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" --conditions=@maturity/source "${main}" "$@"\n`;
  await writeFile(join(bin, "npx"), npx);
  await chmod(join(bin, "npx"), 0o755);
  return { ...variables, PATH: `${bin}:${PATH}`, DATABASE_URL: databaseUrl };
}

/** Starts the service as a block says, variables before the program, and returns where it listens. */
async function startAsSaid(command: string, databaseUrl: string, directory: string): Promise<string> {
  const [, variables = ""] = /^((?:\w+=\S+ )+)npx maturity-service\n$/.exec(command) ?? expect.fail(command);
  const given = Object.fromEntries(
    variables
      .trim()
      .split(" ")
      .map((one) => one.split("=")),
  );
  const service = await useServiceProcess({ DATABASE_URL: databaseUrl, ...given }, directory);
  return service.address();
}
