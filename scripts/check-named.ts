import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { namesOf, unknownNames } from "./named.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");

// Usage: node scripts/check-named.ts. Finds commands, options and settings in the pages that neither program has.
const names = namesOf(read("docs/commands.md"), read("docs/settings.md"));
const pages = globSync(["*.md", "docs/*.md", "{packages,services}/*/README.md"], { cwd: root }).filter(
  (page) => page !== "docs/commands.md" && page !== "docs/settings.md",
);
const faults = pages.flatMap((page) =>
  unknownNames(read(page), names).map(({ line, text }) => `${page}:${line}: ${text}`),
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(
  `the ${names.commands.size} commands and ${names.variables.size} settings that ${pages.length} pages name are there`,
);
