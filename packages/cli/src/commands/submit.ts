import {
  addExamples,
  addScorecardFlags,
  addServiceFlags,
  addTargetFlags,
  type CommandModule,
  collect,
} from "../command.ts";
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { addCommentFlags, showingFailure } from "../forge/show.ts";
import { addConditionFlags } from "../gate/condition-flags.ts";
import { measuredOption } from "../report-formats.ts";
import { sendResults } from "../send-results.ts";
import { addSummaryFlags } from "../summary.ts";

/** `maturity submit`: sends reports or raw values to the service, or scores them on this machine with `--dry-run`. */
export const submit: CommandModule = {
  define(command) {
    command.description(
      "Scores the reports of tools, or values given by --raw, and stores each score in place of the former one. The " +
        "format of a report shows in its content. Of a directory, and of several files, it lists for each which metric it " +
        "feeds, merges the shards of a scan or a test run, and sends all in one batch. A report that does not show that " +
        "the thing was looked for gives no score.",
    );
    addFileFlags(command, "open or resolve the problem of this type by these reports");
    command
      .option("-r, --raw <name=value>", "a value by hand; once for each name, also beside a report", collect)
      .option("--chat-channel <name>", "of --problems: where to alert (MATURITY_CHAT_CHANNEL)")
      .addOption(measuredOption())
      .option("-n, --dry-run", "score on this machine and send nothing")
      .option("--pipeline-id <id>", "the run that reports; default: from the CI")
      .option("--project-repo <address>", "the repository; default: from the CI")
      .option("--commit <hash>", "the commit, stored as commit in raw; default: from the CI");
    addSummaryFlags(command);
    addScorecardFlags(command);
    command
      .optionsGroup("What must hold, with --gate:")
      .option("--gate", "end with 1 where one of these does not hold; all is stored nevertheless");
    addConditionFlags(command);
    addCommentFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["all that the tools of a pipeline wrote", "maturity submit --metric lcov.info=unit_coverage reports"],
      ["what a scan of the image found", "maturity submit --metric image_scan trivy.json"],
      ["the coverage of a test run in shards", "maturity submit --metric unit_coverage shard-*/lcov.info"],
      ["a score and a problem", "maturity submit --problems gitleaks.json=repository_secret,high gitleaks.json"],
      ["a report that says itself what it measures", "semgrep --json . | maturity submit -"],
      ["an audit by hand", "maturity submit --metric libs_secrets --raw enabled=true"],
      ["a report and its gate, read once", "maturity submit --gate --min 80 --no-worse trivy.json"],
      ["what it would score, and why", "maturity submit --dry-run --metric sast gosec.json"],
    ]);
    command.addHelpText("after", aboutPatterns("a condition of --gate does not hold"));
  },

  run(args, flags, context, output) {
    const send = () => sendResults("submit", args, flags, context, output);
    return flags.gate === true && !flags.dryRun ? showingFailure(flags, context, output, send) : send();
  },
};
