import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Hands the service's document, changed like this, to the check. */
async function check(change: (document: string) => string): Promise<{ code: unknown; message: string }> {
  const printer = "../../../services/scoring/scripts/print-openapi.ts";
  const print = spawn(process.execPath, ["--conditions=@maturity/source", path(printer)]);
  const document = await text(print.stdout);
  const checker = spawn(process.execPath, [path("../scripts/generate.ts"), "--check"]);
  checker.stdin.end(change(document));
  const [message, [code]] = await Promise.all([text(checker.stderr), once(checker, "close")]);
  return { code, message };
}

test.each<[string, (document: string) => string, number]>([
  ["are those of the service", (document) => document, 0],
  ["are not those of a service with another field", (document) => document.replaceAll("coverage_pct", "pct"), 1],
  ["are not those of a service with another path", (document) => document.replace('"/healthz"', '"/health"'), 1],
])("the generated types %s", async (_, change, code) => {
  const result = await check(change);
  expect(result, result.message).toMatchObject({ code });
  if (code === 1) expect(result.message).toContain("pnpm --filter @maturity/client generate");
});
