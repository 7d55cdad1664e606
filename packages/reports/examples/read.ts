import { readFile } from "node:fs/promises";
import { ReportError, readReport } from "@maturity/reports";

const bytes = await readFile(new URL("grype.json", import.meta.url));

const { format, tool, metric, metrics, notes } = readReport(bytes);
console.log(format, tool, metric, JSON.stringify(metrics.image_scan));
for (const note of notes) console.log(`- ${note}`);

try {
  readReport(bytes.subarray(0, 300));
} catch (error) {
  if (!(error instanceof ReportError)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
