import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shippedRules } from "./support/prometheus.ts";
import { promtool, shipped } from "./support/tools.ts";

const passes = { code: 0, output: expect.stringContaining("SUCCESS") };

test("the rules are valid", async () => {
  expect(await promtool(["check", "rules", ...shippedRules])).toEqual(passes);
});

test.each(["prometheus.yml", "prometheus-by-area.yml", "prometheus-rollups.yml"])(
  "the example %s is valid",
  async (file) => {
    expect(await promtool(["check", "config", join(shipped, file)])).toEqual(passes);
  },
);

const unitTests = (await readdir(join(shipped, "tests"))).filter((file) => file.endsWith(".yml"));

// They step through months of evaluations: 50 seconds of processor for the longest, and a busy machine takes its time.
test.concurrent.each(unitTests)(
  "the rules pass their unit tests in %s",
  async (file) => expect(await promtool(["test", "rules", join(shipped, "tests", file)])).toEqual(passes),
  600_000,
);

test("every rule and every alert has a unit test", async () => {
  const tests = await Promise.all(unitTests.map((file) => readFile(join(shipped, "tests", file), "utf8")));
  const rules = await Promise.all(shippedRules.map((file) => readFile(file, "utf8")));
  const names = [...rules.join().matchAll(/- (record|alert): (\S+)/g)].map(([, kind, name = ""]) =>
    kind === "alert" ? `alertname: ${name}\n` : name,
  );
  expect(names.length).toBeGreaterThan(12);
  expect(names.filter((name) => !tests.some((text) => text.includes(name)))).toEqual([]);
});
