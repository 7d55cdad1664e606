import { type Flags, valuesOf } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { askedOf } from "@maturity/report-files/asked";
import type { Gathered } from "@maturity/report-files/conclude";
import { gather } from "@maturity/report-files/gather";
import { FilesError, faultText, refuseUnsendable } from "@maturity/report-files/outcome";
import { parseRawValues } from "@maturity/report-files/raw-values";
import { completed } from "@maturity/report-files/results";
import { showFiles } from "@maturity/report-files/show-files";
import { showNotes } from "@maturity/report-files/show-notes";
import type { Context } from "../context.ts";

/**
 * Reads directories and several files, and prints what becomes of each file.
 *
 * @param isDetected whether nothing is sent. Then a fault is part of what is printed with `--json`, and `--keep-going` skips none
 * @returns what there is to send
 * @throws UsageError, FilesError, NothingToSendError
 */
export async function readSeveral(
  args: readonly string[],
  flags: Flags,
  context: Context,
  output: Output,
  isDetected: boolean,
): Promise<Gathered> {
  const asked = await askedOf(flags);
  const gathered = await gather(args, asked, context, output.progress);
  output.done();
  const results = completed(gathered.results, parseRawValues(valuesOf(flags.raw)));
  showFiles(gathered.verdicts, output);
  showNotes([gathered], output);
  if (isDetected && output.json) return { ...gathered, results };
  refuseUnsendable(gathered, args, asked.keepGoing);
  if (isDetected && gathered.faults.length > 0) throw new FilesError(gathered.faults);
  for (const fault of gathered.faults) output.warn(`${faultText(fault)}; going on without it (--keep-going)`);
  return { ...gathered, results };
}
