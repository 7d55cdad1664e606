import { execFileSync } from "node:child_process";
import { ReportError, readReport } from "@maturity/reports";
import { shapes } from "./hostile-shapes.ts";

/**
 * The processor time of reports that are made to be slow, and whether it grows with the size alone: each shape at three
 * sizes, every one in its own process. The command line refuses files above 512 MiB; the text is what is measured here.
 * `pnpm bench reports 1 4` takes other sizes, in megabytes.
 */

const args = process.argv.slice(2).filter((arg) => arg !== "reports");
const [name, ...rest] = Number.isNaN(Number(args[0] ?? 0)) ? args : [undefined, ...args];
const sizes = rest.length > 0 ? rest.map(Number) : [1, 10, 100];

const [, shape] = Object.entries(shapes).find(([each]) => each === name)?.[1] ?? [];
if (shape) {
  // The first reading compiles what it needs.
  seconds(Buffer.from(shape(100_000)));
  const times = sizes.map((size) => seconds(Buffer.from(shape(size * 1_000_000))));
  const perByte = times.map((time, index) => time / (sizes[index] ?? 1));
  const ratio = (perByte.at(-1) ?? 0) / (perByte[0] ?? 1);
  console.log(`| ${name} | ${times.map((time) => `${time.toFixed(2)} s`).join(" | ")} | ${ratio.toFixed(2)} |`);
} else {
  console.log(`| shape | ${sizes.map((size) => `${size} MB`).join(" | ")} | time per byte, last to first |`);
  console.log(`|---|${"---|".repeat(sizes.length + 1)}`);
  for (const each of Object.keys(shapes)) {
    const options = ["--conditions=@maturity/source", import.meta.filename, each, ...sizes.map(String)];
    execFileSync(process.execPath, options, { stdio: "inherit" });
  }
}

/** The processor time that a report takes to be read or refused. */
function seconds(report: Uint8Array): number {
  const before = process.cpuUsage();
  try {
    readReport(report);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
