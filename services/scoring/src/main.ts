#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import packageJson from "../package.json" with { type: "json" };

/**
 * The version is checked before the program is loaded, because an older Node would fail with an unrelated syntax error.
 */
const needed = packageJson.engines.node.replace(">=", "");
const { node } = process.versions;
if (node.localeCompare(needed, "en", { numeric: true }) < 0) {
  process.stderr.write(`maturity-service needs Node ${needed} or newer; this is Node ${node}.\n`);
  process.exit(1);
}
/*
 * Objects of large batches live long, so V8 would allocate all later ones of their kind in the old space. There those of dead
 * requests keep younger ones alive: each collection would take five times as long, and a request a third more of the processor.
 */
setFlagsFromString("--no-allocation-site-pretenuring");
const { run } = await import("./commands/program.ts");
const code = await run(process.argv.slice(2), process);
if (code !== 0) process.exit(code);
