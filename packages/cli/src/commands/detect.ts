import { UsageError } from "@maturity/command-line/usage-error";
import { summaryOfFile } from "@maturity/report-files/file-summary";
import { summaryOf } from "@maturity/report-files/readings";
import { addExamples, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { readInput } from "../folder/read-input.ts";

/** `maturity detect`: shows what `submit` would do with files. It needs no address, no token and no network. */
export const detect: CommandModule = {
  define(command) {
    command.description(
      "Shows for each file which metric it would feed, or why it would be passed over, and ends as submit would. " +
        "Sends nothing, and needs neither an address nor a token. submit --dry-run shows the scores too.",
    );
    addFileFlags(command);
    addExamples(command, [
      ["what a pipeline has written", "maturity detect reports"],
      ["what a file is", "maturity detect report.json"],
    ]);
    command.addHelpText("after", aboutPatterns());
  },

  async run(args, flags, context, output) {
    if (args.length === 0) throw new UsageError("give files, or directories with reports");
    const {
      results,
      problems = [],
      verdicts = [],
      faults = [],
    } = await readInput("detect", args, flags, context, output);
    output.result({
      files: verdicts.map(summaryOfFile),
      scores: results.map(({ reading, ...result }) => ({ ...result, ...(reading && { report: summaryOf(reading) }) })),
      problems: problems.map(({ found: { details: _, ...found }, reading }) => ({
        ...found,
        report: summaryOf(reading),
      })),
      ...(faults.length > 0 && { faults }),
    });
    if (faults.length > 0) return exitCodes.wrongUse;
    return results.length + problems.length > 0 ? exitCodes.done : exitCodes.nothingToSend;
  },
};
