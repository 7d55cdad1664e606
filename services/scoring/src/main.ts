#!/usr/bin/env node
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
const { run } = await import("./commands/program.ts");
const code = await run(process.argv.slice(2), process);
if (code !== 0) process.exit(code);
