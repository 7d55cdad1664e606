import { stepsOf } from "./work.ts";

/**
 * Prints for each hostile shape how many steps it takes to read it at some sizes: JSON, by the name of the shape. To be run as a
 * program of its own, because it counts what all of the program does.
 */
const { shapes } = await import("../../bench/hostile-shapes.ts");
const { ReportError, readReport } = await import("../../src/index.ts");

const sizes = process.argv.slice(2).map(Number);

const read = (report: Uint8Array) => {
  try {
    readReport(report);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
  }
};

const steps = Object.entries(shapes).map(([name, [, shape]]) => {
  const reports = sizes.map((size) => new TextEncoder().encode(shape(size)));
  return [name, reports.map((report) => stepsOf(() => read(report)))] as const;
});
process.stdout.write(JSON.stringify(Object.fromEntries(steps)));
