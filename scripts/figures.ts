import { readFileSync } from "node:fs";
import { recordFigures } from "../bench/figures.ts";
import { faultsOfPages, writePages } from "../bench/pages.ts";

// Usage: node scripts/figures.ts [--check|--record NAME COMMAND]. Writes the figures of the benches into the pages; with --check it
// looks whether they are there, and whether a table has figures that no bench wrote. With --record it first stores the tables on
// its standard input, which the command has printed.
if (process.argv.includes("--check")) {
  const faults = faultsOfPages();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} else {
  const [record, name = "", command = ""] = process.argv.slice(2);
  if (record === "--record") recordFigures(name, command, readFileSync(0, "utf8"));
  writePages();
}
