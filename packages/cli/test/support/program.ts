import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileCache } from "../../../../services/scoring/test/support/compile-cache.ts";
import { useDirectory } from "../../../../test-support/trees.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The environment of a shell in which `maturity` is the program from its sources. */
export async function programEnvironment(url: string): Promise<Readonly<Record<string, string>>> {
  const bin = await useDirectory();
  const program = `#!/bin/sh\nexec "${process.execPath}" --conditions=@maturity/source "${main}" "$@"\n`;
  await writeFile(join(bin, "maturity"), program);
  await chmod(join(bin, "maturity"), 0o755);
  return { ...compileCache, PATH: `${bin}:${process.env.PATH}`, MATURITY_URL: url };
}

/** What a command prints, with the times and ids that a page shows in place of those of the run. */
export function withoutTimes(text: string): string {
  return text
    .replaceAll(/\b\d+ minutes?/g, "1 minute")
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2027-03-01 12:00 UTC")
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "2027-03-01T12:00:00Z")
    .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, "0195e1f4-6c1b-4d2a-9d55-1f6a0c2f7b3e")
    .replaceAll(/\b[\da-f]{8}\b/g, "0195e1f4");
}

/** Whether commands may be run again, because they change nothing. */
export function onlyAsks(script: string): boolean {
  const asking = /^(?:curl -sG|maturity (?:status|\w+ (?:list|show)))\b|^ {2}/;
  return script
    .trim()
    .split("\n")
    .every((line) => asking.test(line));
}
