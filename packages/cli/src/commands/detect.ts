import { UsageError } from "@maturity/command-line/usage-error";
import { addExamples, addScorecardFlags, type CommandModule } from "../command.ts";
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { sendResults } from "../send-results.ts";

/** `maturity detect`: shows what `submit` would do with files. It needs no address, no token and no network. */
export const detect: CommandModule = {
  define(command) {
    command.description(
      "Shows for each file which metric it would feed and with which score, or why it would be passed over, and ends as " +
        "submit would. Sends nothing, and needs neither an address nor a token.",
    );
    addFileFlags(command);
    addScorecardFlags(command);
    addExamples(command, [
      ["what a pipeline has written", "maturity detect reports"],
      ["what a file is", "maturity detect report.json"],
    ]);
    command.addHelpText("after", aboutPatterns());
  },

  async run(args, flags, context, output) {
    if (args.length === 0) throw new UsageError("give files, or directories with reports");
    return sendResults("detect", args, flags, context, output);
  },
};
