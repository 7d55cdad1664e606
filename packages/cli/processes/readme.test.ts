import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { useService } from "../../../services/scoring/test/support/service.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import { commands } from "../src/commands.ts";
import { exitCodes } from "../src/exit-codes.ts";
import { settingNames } from "../src/settings.ts";
import { onlyAsks, programEnvironment, withoutTimes } from "../test/support/program.ts";
import { checkov, gitleaks, imageWithKey, lcov, trivy } from "../test/support/sample-reports.ts";

const catalog = `apiVersion: backstage.io/v1alpha1
kind: System
metadata:
  name: web-shop
spec:
  owner: checkout
  domain: shop
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: cart
  labels: { tier: "1" }
  annotations:
    backstage.io/source-location: url:https://git.example.com/shop/cart/tree/main
spec:
  type: service
  owner: checkout
  system: web-shop
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: vouchers
spec:
  type: service
  owner: checkout
  system: web-shop

# Nobody owns it yet
---


apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: prototype
spec:
  type: service
  system: web-shop
`;

const files: Readonly<Record<string, string>> = {
  "catalog-info.yaml": catalog,
  "trivy.json": trivy,
  "image.json": imageWithKey,
  "gitleaks.json": gitleaks("main.tf", "vpc.tf"),
  "gitleaks-after.json": "[]",
  "reports/checkov.json": checkov,
  "reports/gitleaks.json": gitleaks("main.tf", "vpc.tf"),
  "reports/junit.xml": "<testsuites/>",
  "reports/trivy.json": trivy,
  "reports/unit/1/lcov.info": lcov("cart.ts", 1, 2, 3),
  "reports/unit/2/lcov.info": lcov("cart.ts", 3, 4, 5),
  "shard-1/lcov.info": lcov("cart.ts", 1, 2, 3),
  "shard-2/lcov.info": lcov("cart.ts", 3, 4, 5),
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
    return withoutTimes(stdout).replaceAll(server.info.uri, address).replaceAll(`${directory}/`, "");
  };
  let script = "";
  let printed = "";
  for (const { info, text } of await blocks("packages/cli/README.md")) {
    if (info === "run") {
      script = text;
      printed = await run(script);
    }
    if (info !== "output") continue;
    if (!onlyAsks(script)) expect(printed).toBe(text);
    // Roll-ups are up to 15 seconds old.
    else await vi.waitFor(async () => expect(await run(script)).toBe(text), { timeout: 60_000, interval: 500 });
  }
});

test("it shows every command, setting and exit code", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const rows = readme.split("\n").filter((line) => line.startsWith("| "));
  for (const name of Object.keys(commands)) expect(rows.join("\n")).toContain(`\`maturity ${name}\``);
  for (const [key, { flag }] of Object.entries(settingNames)) {
    const ofFile = key === "audience" ? "| |" : `\`${key}\``;
    expect(rows.some((row) => row.includes(`\`${flag}\``) && row.includes(ofFile))).toBe(true);
  }
  const codes = rows.flatMap((row) => /^\| (\d+) \|/.exec(row)?.[1] ?? []);
  expect(codes.map(Number)).toEqual(Object.values(exitCodes));
});
