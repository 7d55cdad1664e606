import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../../services/scoring/test/support/markdown.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();

test("what is retired is brought back by a command", async () => {
  const app = ["--area", "shop", "--team", "checkout", "--app", "old"];
  const submit = ["submit", ...app, "--env", "prod", "-m", "sla", "--raw", "availability_pct=99"];
  expect(await service.maturity(submit)).toMatchObject({ code: 0 });
  expect(await service.maturity(["app", "retire", ...app, "--reason", "gone", "--yes"])).toMatchObject({ code: 0 });
  const { code, stderr } = await service.maturity(submit);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining("maturity app restore brings it back"),
  });
});

test("no message of the CLI or the client names a route of HTTP, which is none of its commands", async () => {
  const named: string[] = [];
  let files = 0;
  for await (const path of glob("packages/{cli,client,collect}/src/**/*.ts", { cwd: repository })) {
    if (/\.(?:test|generated)\.ts$/.test(path)) continue;
    files++;
    const text = await readFile(join(repository, path), "utf8");
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    if (/\b(?:GET|POST|PUT|PATCH|DELETE) \//.test(code)) named.push(path);
  }
  expect(files).toBeGreaterThan(50);
  expect(named).toEqual([]);
});
