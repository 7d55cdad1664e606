import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { boardDirectory } from "../src/index.ts";

/** What a browser loads before it shows the Board, in bytes after gzip. */
const budget = { js: 40_000, css: 10_000 };

const assets = fileURLToPath(new URL("assets/", boardDirectory));
for (const [ending, limit] of Object.entries(budget)) {
  const files = globSync(`*.${ending}`, { cwd: assets });
  if (files.length === 0) throw new Error(`${assets} has no .${ending} file; build the package first`);
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(assets + file), { level: 9 }).length, 0);
  console.log(`${ending}: ${size} of ${limit} bytes after gzip`);
  if (size > limit) process.exitCode = 1;
}
