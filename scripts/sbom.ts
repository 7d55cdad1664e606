import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Bom, type Component, forbidden, fullName, withBundled } from "./bom.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A bill of materials (CycloneDX) of each published package. */
function billsOf(...options: string[]): Bom[] {
  const split = ["sbom", "--sbom-format", "cyclonedx", "--split", ...options];
  const text = execFileSync("pnpm", split, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  return text
    .trim()
    .split("\n")
    .map((line): Bom => JSON.parse(line));
}

// Usage: node scripts/sbom.ts [FOLDER]. Checks the licences of all that is shipped, and writes what is shipped into FOLDER.
const published = [
  "--filter=./packages/*",
  "--filter=!@maturity/command-line",
  "--filter=!@maturity/report-files",
  "--filter=!@maturity/forge",
  "--filter=!@maturity/gate",
  "--filter=!@maturity/backfill",
  "--filter=!@maturity/yaml",
  "--filter=!@maturity/run-summary",
  "--filter=!@maturity/scorecard-file",
  "--filter=!@maturity/demo",
  "--filter=./services/*",
];
const development = billsOf("--dev", ...published).flatMap((bom): readonly Component[] => bom.components);
const bills = billsOf("--prod", ...published).map((bom) => withBundled(bom, development));
const faults = bills.flatMap(forbidden);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${bills.length} packages, and all that they ship or install, have licences without copyleft`);

const [folder] = process.argv.slice(2);
if (folder) {
  mkdirSync(folder, { recursive: true });
  for (const bom of bills) {
    const name = fullName(bom.metadata.component).replace(/^@/, "").replaceAll("/", "-");
    writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(bom, undefined, 2)}\n`);
  }
}
