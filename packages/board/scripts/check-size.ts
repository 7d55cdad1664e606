import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { boardDirectory } from "../src/index.ts";

/** What a browser loads before it shows the Board, and each part that it loads later, in bytes after gzip. */
const budget = { js: 40_000, css: 10_000, part: 10_000 };

const page = fileURLToPath(boardDirectory);
const named = [...readFileSync(`${page}index.html`, "utf8").matchAll(/assets\/[\w.-]+/g)].map(([file]) => file);
const scripts = named.filter((file) => file.endsWith(".js"));
const styles = named.filter((file) => file.endsWith(".css"));
check("js", "js", scripts);
check("css", "css", styles);
for (const part of globSync("assets/*.js", { cwd: page })) if (!scripts.includes(part)) check("part", part, [part]);

function check(kind: keyof typeof budget, name: string, files: readonly string[]): void {
  if (files.length === 0) throw new Error(`${page}index.html names no .${kind} file; build the package first`);
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(page + file), { level: 9 }).length, 0);
  console.log(`${name}: ${size} of ${budget[kind]} bytes after gzip`);
  if (size > budget[kind]) process.exitCode = 1;
}
