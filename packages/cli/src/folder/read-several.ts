import { type Flags, valuesOf } from "../command.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { completed } from "../raw-results.ts";
import { parseRawValues } from "../raw-values.ts";
import { tellReadings } from "../readings.ts";
import { askedOf } from "./asked.ts";
import { type Gathered, gather } from "./gather.ts";
import { faultText, refuseUnsendable } from "./outcome.ts";
import { showFiles } from "./show-files.ts";

/**
 * What directories and several files have to send, once it is said of each file what becomes of it.
 *
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
