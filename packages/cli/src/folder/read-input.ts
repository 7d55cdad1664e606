import { resolve } from "node:path";
import { isDirectory } from "@maturity/command-line/files";
import { type Flags, valuesOf } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Gathered } from "@maturity/report-files/conclude";
import { expandFileNames } from "@maturity/report-files/report-files";
import { readResults } from "@maturity/report-files/results";
import { showNotes, showUnsent } from "@maturity/report-files/show-notes";
import type { Context } from "../context.ts";
import { requireFormats } from "../report-formats.ts";

export type Input = Pick<Gathered, "results"> & Partial<Gathered>;

/**
 * Reads the reports and values of a command line, and prints the notes about it. For several files it also prints what becomes of each.
 *
 * @param command that is called, for the command lines that are proposed
 * @throws UsageError, ReportError, FilesError, NothingToSendError
 */
export async function readInput(
  command: string,
  args: readonly string[],
  flags: Flags,
  context: Context,
  output: Output,
): Promise<Input> {
  await requireFormats(flags);
  const isDetected = command === "detect";
  if (!isDetected && !(await areSeveral(args, flags, context.cwd))) {
    const [metric, format] = [valuesOf(flags.metric)[0], valuesOf(flags.format)[0]];
    const plain = { ...flags, metric, format };
    const results = await readResults(args, plain, context);
    showNotes(
      results.flatMap(({ reading }) => reading ?? []),
      output,
    );
    for (const { reading } of results) if (reading) showUnsent(reading.unsent, command, plain, output);
    return { results };
  }
  const { readSeveral } = await import("./read-several.ts");
  return readSeveral(args, flags, context, output, isDetected);
}

/**
 * Whether there may be reports of several metrics, so that the output must show what becomes of each file. Otherwise
 * there is one file, or the shards of one metric.
 */
async function areSeveral(args: readonly string[], flags: Flags, cwd: string): Promise<boolean> {
  if (args.length === 0) {
    requireReports(flags);
    return false;
  }
  const plain = [...valuesOf(flags.metric), ...valuesOf(flags.format)];
  const isOfSeveral = flags.problems ?? flags.exclude ?? flags.keepGoing;
  if (isOfSeveral || plain.some((text) => text.includes("=")) || valuesOf(flags.metric).length > 1) return true;
  const names = await expandFileNames(args, cwd);
  for (const name of names) if (await isDirectory(resolve(cwd, name))) return true;
  return names.length > 1 && flags.metric === undefined;
}

/** @throws UsageError for flags that have no effect without reports */
function requireReports({ metric, problems, exclude }: Flags): void {
  if (problems !== undefined) throw new UsageError("--problems is about reports: give their paths");
  if (exclude !== undefined) throw new UsageError("--exclude is about directories: give their paths");
  if (valuesOf(metric).length > 1) throw new UsageError("values by --raw are of one metric: give one --metric a call");
}
