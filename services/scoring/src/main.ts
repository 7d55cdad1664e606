#!/usr/bin/env node
import packageJson from "../package.json" with { type: "json" };

/** The program is loaded only after a look at the version, since an older Node fails at what it lacks, without a word of it. */
const needed = packageJson.engines.node.replace(">=", "");
const { node } = process.versions;
if (node.localeCompare(needed, "en", { numeric: true }) < 0) {
  process.stderr.write(`maturity-service needs Node ${needed} or newer; this is Node ${node}.\n`);
  process.exit(1);
}
await import("./commands/program.ts");
