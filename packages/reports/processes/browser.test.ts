import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));

test("a report is read where there is no Node", async () => {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    platform: "browser",
    conditions: ["@maturity/source"],
    format: "iife",
    globalName: "reports",
    target: "es2022",
    write: false,
  });
  const context = createContext({
    TextDecoder,
    TextEncoder,
    report: new TextEncoder().encode('{"matches": [], "source": {"type": "image"}, "descriptor": {"name": "grype"}}'),
  });
  const script = `${outputFiles[0]?.text}\nJSON.stringify(reports.readReport(report))`;
  expect(JSON.parse(runInContext(script, context))).toMatchObject({ format: "grype", metric: "image_scan" });
});
