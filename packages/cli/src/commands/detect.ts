import { addExamples, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { askedOf } from "../folder/asked.ts";
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { gather } from "../folder/gather.ts";
import { FilesError, refuseUnsendable } from "../folder/outcome.ts";
import { showFiles, summaryOfFile } from "../folder/show-files.ts";
import { summaryOf, tellReadings } from "../readings.ts";
import { UsageError } from "../usage-error.ts";

/** `maturity detect`: tells what `submit` would do with files. It needs no address, no token and no network. */
export const detect: CommandModule = {
  define(command) {
    command.description(
      "Tells for each file which metric it would feed, or why it would be passed over, and ends as submit would. " +
        "Sends nothing, and needs neither an address nor a token.",
    );
    addFileFlags(command);
    addExamples(command, [
      ["what a pipeline has written", "maturity detect reports"],
      ["what a file is", "maturity detect report.json"],
    ]);
    command.addHelpText("after", aboutPatterns);
  },

  async run(args, flags, context, output) {
    if (args.length === 0) throw new UsageError("give files, or directories with reports");
    const asked = await askedOf(flags);
    const gathered = await gather(args, asked, context, output.progress);
    output.done();
    const { verdicts, results, problems, faults } = gathered;
    showFiles(verdicts, output, context.stdout);
    tellReadings([gathered], output);
    const told = {
      files: verdicts.map(summaryOfFile),
      scores: results.map(({ reading, ...result }) => ({ ...result, ...(reading && { report: summaryOf(reading) }) })),
      problems: problems.map(({ found: { details: _, ...found }, reading }) => ({
        ...found,
        report: summaryOf(reading),
      })),
      ...(faults.length > 0 && { faults }),
    };
    if (!output.json) refuseUnsendable(gathered, args, asked.keepGoing);
    output.result(told);
    if (faults.length > 0) {
      if (!output.json) throw new FilesError(faults);
      return exitCodes.wrongUse;
    }
    return results.length + problems.length > 0 ? exitCodes.done : exitCodes.nothingToSend;
  },
};
