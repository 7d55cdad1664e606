import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shippedRules } from "./support/prometheus.ts";
import { promtool, shipped } from "./support/tools.ts";

const passes = { code: 0, output: expect.stringContaining("SUCCESS") };

test("the rules are valid", async () => {
  expect(await promtool(["check", "rules", ...shippedRules])).toEqual(passes);
});

test.each(["prometheus.yml", "prometheus-by-area.yml"])("the example %s is valid", async (file) => {
  expect(await promtool(["check", "config", join(shipped, file)])).toEqual(passes);
});

test("the rules pass their unit tests", async () => {
  const folder = join(shipped, "tests");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yml")).map((file) => join(folder, file));
  expect(files.length).toBeGreaterThan(0);
  expect(await promtool(["test", "rules", ...files])).toEqual(passes);
});

test("every rule and every alert has a unit test", async () => {
  const tests = await Promise.all(
    (await readdir(join(shipped, "tests"))).map((file) => readFile(join(shipped, "tests", file), "utf8")),
  );
  const rules = await Promise.all(shippedRules.map((file) => readFile(file, "utf8")));
  const names = [...rules.join().matchAll(/- (record|alert): (\S+)/g)].map(([, kind, name = ""]) =>
    kind === "alert" ? `alertname: ${name}\n` : name,
  );
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !tests.some((text) => text.includes(name)))).toEqual([]);
});
