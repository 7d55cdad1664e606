import { execFileSync } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import { parts } from "./parts.ts";
import { lowered } from "./verdict.ts";

// Usage: node mutation/check-bars.ts. Fails if a bar of the mutation testing is lower than that of the branch main.
const ofMain = execFileSync("git", ["show", "main:mutation/parts.ts"], { encoding: "utf8" });
const main = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(ofMain))}`);
const faults = lowered(main.parts, parts);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
