import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { equivalents } from "./mutation/equivalents.ts";
import { parts } from "./mutation/parts.ts";
import { judge, type Met } from "./mutation/verdict.ts";

/**
 * `pnpm mutation PART [FILE…]` changes the sources of a part, one place at a time, and fails unless the tests notice often
 * enough. It works in place, since packages find each other by links, and gives the sources back at its end.
 */
const [name = "", ...files] = process.argv.slice(2);
const part = parts[name];
if (!part) {
  process.stderr.write(`usage: pnpm mutation ${Object.keys(parts).join("|")} [file...]\n`);
  process.exit(2);
}
const mutate = files.length > 0 ? files : [...part.mutate];

// After a crash nobody could tell own changes from mutants.
const changed = execFileSync("git", ["status", "--porcelain", "--", "packages"], { encoding: "utf8" });
if (changed !== "") {
  process.stderr.write(`commit or stash first:\n${changed}`);
  process.exit(2);
}

// Read by vitest.mutation.config.ts. With Stryker's own `testFiles` a mutant of what runs when a module loads is switched on
// too late, so none of them is ever killed.
process.env.MUTATION_PART = name;

const results = await new Stryker({
  mutate,
  inPlace: true,
  // Would write a comment into every file of the repository; Vitest heeds no types.
  disableTypeChecks: false,
  tempDirName: "node_modules/.cache/mutation",
  concurrency: availableParallelism(),
  coverageAnalysis: "perTest",
  // On a machine with too much to do a test that is not run for ever takes long, too.
  timeoutMS: 60_000,
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "vitest.mutation.config.ts", related: false },
  reporters: ["progress-append-only"],
}).runMutationTest();

const { lines, isMet } = judge(results.flatMap(met), part.bars, equivalents);
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = isMet ? 0 : 1;

/** Mutants that could not be tried, because they do not load for example, count for nothing. */
function met({
  fileName,
  status,
  location,
  replacement,
}: Awaited<ReturnType<Stryker["runMutationTest"]>>[number]): Met[] {
  const isKilled = status === "Killed" || status === "Timeout";
  if (!isKilled && status !== "Survived" && status !== "NoCoverage") return [];
  const { start, end } = location;
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  lines.push(lines.pop()?.slice(0, end.column - 1) ?? "");
  lines[0] = lines[0]?.slice(start.column - 1) ?? "";
  const code = lines.join("\n");
  return [
    {
      file: relative(process.cwd(), fileName),
      line: start.line,
      code: withSingleBlanks(code),
      becomes: withSingleBlanks(replacement ?? ""),
      isKilled,
    },
  ];
}

function withSingleBlanks(code: string): string {
  return code.trim().replaceAll(/\s+/g, " ");
}
