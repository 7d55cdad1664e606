import { globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parts } from "../mutation/parts.ts";
import { namesOf, type Scripts, unknownNames, unknownScripts } from "./named.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const scriptsOf = (path: string) => Object.keys(JSON.parse(read(path)).scripts ?? {});

// Usage: node scripts/check-named.ts. Finds commands, options and settings in the pages that neither program has, and scripts of
// pnpm in the pages and the workflows that no package has.
const names = namesOf(read("docs/commands.md"), read("docs/settings.md"));
const scripts: Scripts = {
  root: new Set([...scriptsOf("package.json"), ...readdirSync(`${root}node_modules/.bin`)]),
  packages: new Set(globSync("{packages,services}/*/package.json", { cwd: root }).flatMap(scriptsOf)),
  words: {
    bench: new Set([...read("bench.ts").matchAll(/^ {2}"?([a-z-]+)"?: "\.\//gm)].map(([, name = ""]) => name)),
    mutation: new Set(Object.keys(parts)),
  },
};
const pages = globSync(["*.md", "docs/*.md", "bench/*.md", "{packages,services}/*/README.md"], { cwd: root }).filter(
  (page) => page !== "docs/commands.md" && page !== "docs/settings.md",
);
const workflows = globSync(".github/workflows/*.yml", { cwd: root });
const faults = [
  ...pages.flatMap((page) =>
    [...unknownNames(read(page), names), ...unknownScripts(read(page), scripts)].map((fault) => ({ page, ...fault })),
  ),
  // As one block of code, which begins before the first line.
  ...workflows.flatMap((page) =>
    unknownScripts(`\`\`\`\n${read(page)}`, scripts).map(({ line, text }) => ({ page, line: line - 1, text })),
  ),
];
for (const { page, line, text } of faults) console.error(`${page}:${line}: ${text}`);
if (faults.length > 0) process.exit(1);
console.log(
  `the ${names.commands.size} commands, ${names.variables.size} settings and ${scripts.root.size} scripts and programs that ${pages.length} pages and ${workflows.length} workflows name are there`,
);
