import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { blocks, holding } from "../../../services/scoring/test/support/markdown.ts";
import { reportExample } from "../../../services/scoring/test/support/reading-example.ts";
import { useService } from "../../../services/scoring/test/support/service.ts";
import { useDirectory } from "../test/support/cli.ts";
import { programEnvironment, withoutTimes } from "../test/support/program.ts";

test("the commands of docs/deciding.md work when pasted, and print what it shows", async () => {
  const service = await useService();
  await reportExample(service);
  await service.server.start();
  const url = service.server.info.uri;
  const [cwd, env] = await Promise.all([useDirectory(), programEnvironment(url)]);
  const run = async (script: string) => {
    const { stdout } = await promisify(execFile)("sh", ["-ec", script], { cwd, env });
    return withoutTimes(stdout.replaceAll(url, "http://127.0.0.1:8080"));
  };
  let script = "";
  let printed = "";
  let compared = 0;
  for (const { language, info, text } of await blocks("docs/deciding.md")) {
    if (info.includes(".")) await writeFile(join(cwd, info), text);
    if (language === "sh") {
      if (info === "later") await service.database.knex.raw("UPDATE waivers SET expires_at = clock_timestamp()");
      script = text.replaceAll("http://127.0.0.1:8080", url);
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

/** Whether commands may be run again, because they change nothing. */
function onlyAsks(script: string): boolean {
  const asking = /^(?:curl -sG|maturity (?:list|status|waivers(?! revoke)|apps (?:list|aliases)))\b|^ {2}/;
  return script
    .trim()
    .split("\n")
    .every((line) => asking.test(line));
}
