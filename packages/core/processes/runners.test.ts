import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const file = fileURLToPath(new URL("./under-node-test.ts", import.meta.url));

/** Runs the file under `node --test`, where one case expects this score. */
function nodeTest(expected: number): Promise<{ code: number; report: string }> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, EXPECTED: String(expected) };
  const args = ["--conditions=@maturity/source", "--test", "--test-reporter=tap", file];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, report) => resolve({ code: Number(error?.code ?? 0), report }));
  });
}

describe("node --test", () => {
  test("passes a good scorecard", async () => {
    const { code, report } = await nodeTest(80);
    expect(report).toMatch(/ok \d+ - cost\.budget: in the middle/);
    expect(report).toContain("# pass 17");
    expect(code).toBe(0);
  });

  test("fails a wrong case, by name and with the reason", async () => {
    const { code, report } = await nodeTest(79);
    expect(report).toMatch(/not ok \d+ - cost\.budget: in the middle/);
    expect(report).toContain("expected 79, got 80");
    expect(report).toContain("# fail 1");
    expect(code).toBe(1);
  });
});
