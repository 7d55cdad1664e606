import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@maturity/client";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../../services/scoring/test/support/markdown.ts";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();

describe("what is retired is brought back by a command:", () => {
  const value = ["-m", "sla", "--raw", "availability_pct=99"];
  const names = (app: string) => ["--area", "shop", "--team", "checkout", "--app", app];

  describe.each([
    ["old", [], "shop/checkout/old"],
    ["half", ["--env", "prod"], "shop/checkout/half (prod)"],
  ])("%s", (app, env, shown) => {
    const said = `${shown} is retired; maturity app restore brings it back, with all that was stored of it\n`;
    const prod = [...names(app), "--env", "prod"];
    beforeAll(async () => {
      const client = createClient({ url: service.url });
      const target = { area: "shop", team: "checkout", app };
      await client.register([target]);
      await client.submit({
        ...target,
        env: "prod",
        ...{ scorecard: "reliability", metric: "sla" },
        raw: { availability_pct: 99 },
      });
      await client.retire({ ...target, ...(env.length > 0 && { env: "prod" }), reason: "gone" });
    });

    test.each([
      "submit",
      "submit --gate --no-worse",
      "submit --dry-run --gate --no-worse",
      "gate --no-worse",
      "gate --app-min 1",
    ])("%s", async (command) => {
      const { code, stderr } = await service.maturity([...command.split(" "), ...prod, ...value]);
      expect({ code, stderr }).toEqual({ code: 3, stderr: `maturity: ${said}` });
    });

    test("status, which does not ask for a first report", async () => {
      expect(await service.maturity(["status", ...prod])).toEqual({ code: 0, stdout: said, stderr: "" });
      const { stdout } = await service.maturity(["status", ...prod, "--ndjson"]);
      expect(JSON.parse(stdout)).toMatchObject({ score: null, retired_at: expect.any(String), reason: "gone" });
    });

    test("doctor, whose report would be refused", async () => {
      const { code, stdout } = await service.maturity(["doctor", ...prod]);
      expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining(`failed   registry   ${said}`) });
    });
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
