import type { Command } from "commander";
import { collect } from "../command.ts";
import { assumeOption, formatsOption, severityOption } from "../report-formats.ts";

/**
 * Adds the flags of commands that read files and directories with reports of several tools.
 *
 * @param problems what `--problems` does
 */
export function addFileFlags(command: Command, problems = "look for the problem of this type in these reports"): void {
  command
    .argument("[paths...]", "reports and directories with reports: paths, patterns, - for standard input")
    .option(
      "-m, --metric <[pattern=]name>",
      "what it measures: image_scan, or cost.budget of a scorecard of your own; needed where the tool is not made for one; " +
        "of some files only: 'lcov.info=unit_coverage', may stand several times",
      collect,
    )
    .option(
      "--problems <pattern=type>",
      `${problems}; where the tool is not made for one kind of findings, ` +
        "name it behind a comma, and where it has no severity that: 'trivy.json=image_secret,secrets,high'",
      collect,
    )
    .option("--exclude <pattern>", "leave out these files of a directory; may stand several times", collect)
    .option("--keep-going", "go on with the others where a file cannot be read; ends with 2 all the same")
    .addOption(formatsOption())
    .addOption(assumeOption())
    .addOption(severityOption());
}

/**
 * The end of the help of such a command.
 *
 * @param gateNotMet when the command ends with 1; without, it has no gate and calls no service
 */
export function aboutPatterns(gateNotMet?: string): string {
  const withService = (codes: string) => (gateNotMet === undefined ? "" : codes);
  return `
Patterns: one without a slash means the name of a file, wherever it lies; one
with a slash the path as it is shown. In a directory nothing below node_modules
and .git is looked for, and no link is followed.

A file that is named, by itself or by a pattern, has to be taken. What else a
directory holds is passed over where it is no report, where it does not say
which metric it is for, or shows nothing measured. --assume-scanned is the word
for files that are named, and for no others; --assume-severity for all.

Exit codes:
  0  everything that was found was taken or passed over${withService(`\n  1  ${gateNotMet}`)}
  2  a file could not be read, reports could not be merged, or a pattern names
     no file; nothing is used then, but with --keep-going${withService(`
  3  the service refuses what it is asked
  4  the service is unreachable, or could not work within --timeout`)}
  5  no report is left
`;
}
