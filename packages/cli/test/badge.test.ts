import { createClient } from "@maturity/client";
import { beforeAll, expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();
const app = ["--area", "shop", "--team", "checkout", "--app", "cart"];
const badge = (...argv: string[]) => service.maturity(["badge", ...argv]);

beforeAll(async () => {
  const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
  await createClient({ url: service.url }).submitAll([
    { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } },
  ]);
});

test("a badge is made in Markdown, listed, and revoked", async () => {
  const dry = await badge("create", ...app, "--env", "prod", "--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toMatch(/^would make a badge of shop\/checkout\/cart \(prod\), which everybody can read/);
  expect((await badge("list")).stdout).toBe("no badges\n");

  const made = await badge("create", ...app, "--env", "prod", "-m", "secret_scan", "--yes");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const [, address = ""] = /\[!\[maturity\]\((.*?)\)\]\(/.exec(made.stdout) ?? [];
  expect(address.startsWith(service.url.replace(/\/$/, ""))).toBe(true);
  expect(await (await fetch(address)).text()).toContain("100 / 100");

  const { items } = JSON.parse((await badge("list", "--app", "cart", "--json")).stdout);
  expect(items).toMatchObject([{ app: "cart", env: "prod", shows: "metric", metric: "secret_scan" }]);
  expect((await badge("list")).stdout).toContain("security.secret_scan");
  const begins = items[0].id.slice(0, 8);
  expect((await badge("revoke", begins, "--dry-run")).stdout).toMatch(/^would revoke the badge/);
  expect((await badge("revoke", begins, "--yes")).stdout).toBe(`revoked the badge ${items[0].id}\n`);
  expect(await badge("revoke", begins, "--yes")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("it may be revoked already"),
  });
  expect(await badge("revoke", items[0].id, "--yes")).toMatchObject({ code: 0 });
  expect((await badge("list")).stdout).toBe("no badges\n");
});

test.each([
  [[...app], "give --env too"],
  [["--env", "prod", "--app", "cart"], "give --area and --team too"],
  [[...app, "--env", "prod", "--level", "-m", "sast"], "give --level or --metric, not both"],
  [[...app, "--env", "prd"], 'did you mean \\"prod\\"?'],
])("badge create refuses %j", async (argv, message) => {
  const { code, stderr } = await badge("create", ...argv, "--yes");
  expect(code).not.toBe(0);
  expect(stderr.replaceAll('"', '\\"')).toContain(message);
});

test("badge revoke refuses what is no id", async () => {
  expect(await badge("revoke", "x", "--yes")).toMatchObject({ code: 2 });
});
