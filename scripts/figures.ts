import { faultsOfPages, writePages } from "../bench/pages.ts";

// Usage: node scripts/figures.ts [--check]. Writes the figures of the benches into the pages; with --check it looks whether they
// are there, and whether a table has figures that no bench wrote.
if (process.argv.includes("--check")) {
  const faults = faultsOfPages();
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} else {
  writePages();
}
