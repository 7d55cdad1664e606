import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { planOf, readCatalog } from "@maturity/catalog";

const cwd = import.meta.dirname;
const reading = await readCatalog(
  ["catalog-info.yaml"],
  {},
  {
    cwd,
    read: (path) => readFile(path),
    match: async (pattern, directory) => globSync(pattern, { cwd: directory }),
  },
);
for (const { entry } of reading.apps) console.log(entry);
for (const { file, line, what, why } of reading.passedOver) console.log(`${file}:${line} ${what}: ${why}`);

const { added, changed, absent } = planOf(reading, { registered: [], retired: [], formerNames: [] });
console.log(`${added.length} new, ${changed.length} changed, ${absent.length} not in the files`);
