import { readFileSync, writeFileSync } from "node:fs";
import { withFormatsTable } from "../test/support/formats-table.ts";

/** Writes the table of formats into the README: `node --conditions=@maturity/source scripts/write-formats-table.ts`. */
const readme = new URL("../README.md", import.meta.url);
writeFileSync(readme, withFormatsTable(readFileSync(readme, "utf8")));
