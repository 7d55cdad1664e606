import { type Flags, valuesOf } from "../command.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { completed } from "../raw-results.ts";
import { parseRawValues } from "../raw-values.ts";
import { tellReadings } from "../readings.ts";
import { askedOf } from "./asked.ts";
import type { Gathered } from "./conclude.ts";
import { gather } from "./gather.ts";
import { faultText, refuseUnsendable } from "./outcome.ts";
import { showFiles } from "./show-files.ts";

/**
 * Reads directories and several files for `maturity submit`, and prints what becomes of each file.
 *
 * @returns what there is to send
 * @throws UsageError, FilesError, NothingToSendError
 */
export async function readSeveral(
  args: readonly string[],
  flags: Flags,
  context: Context,
  output: Output,
): Promise<Gathered> {
  const asked = await askedOf(flags);
  const gathered = await gather(args, asked, context, output.progress);
  output.done();
  const results = completed(gathered.results, parseRawValues(valuesOf(flags.raw)));
  showFiles(gathered.verdicts, output, context.stdout);
  tellReadings([gathered], output);
  refuseUnsendable(gathered, args, asked.keepGoing);
  for (const fault of gathered.faults) output.warn(`${faultText(fault)}; going on without it (--keep-going)`);
  return { ...gathered, results };
}
