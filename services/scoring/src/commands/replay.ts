import { InvalidArgumentError, Option } from "commander";
import type { Define } from "./command.ts";
import { addName } from "./names.ts";
import type { ReplayOptions } from "./replay/run.ts";

/** Scores what is stored again with the packages that are installed now, and tells what would change. */
export const defineReplay: Define = (command, context) => {
  const names = (flags: string, what: string) => new Option(flags, what).argParser(addName);
  command
    .addOption(
      new Option("--format <format>", "how it is told").choices(["text", "markdown", "csv", "json"]).default("text"),
    )
    .addOption(names("--area <area>", "only this area; like all filters, it may be given several times"))
    .addOption(names("--team <team>", "only this team"))
    .addOption(names("--app <app>", "only this application"))
    .addOption(names("--env <env>", "only this environment"))
    .addOption(names("--scorecard <name>", "scores only this scorecard again"))
    .addOption(names("--metric <name>", "scores only this metric again, dast or security.dast"))
    .option("--max-drop <points>", "ends with 1 if an application falls by more points", points)
    .option("--before <directory>", "where the packages of before are installed, to tell their reasons too")
    .addOption(new Option("--from <file>", "the file that export wrote, in place of a database").conflicts("apply"))
    .option("--apply", "writes the scores that were told; the times of their reports stay")
    .addHelpText("after", about)
    .action(async (options: ReplayOptions) => {
      const { runReplay } = await import("./replay/run.ts");
      await runReplay(options, context);
    });
};

function points(text: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError("It must be a number of points, such as 10.");
  return Number(text);
}

const about = `
Without --apply it only reads, from DATABASE_READ_URL if that is set, and DATABASE_URL itself may name a replica. The packages are those of
SCORECARDS, looked for from the current folder first; one that is developed there is found by its name. An export does not
tell the weights in force: with --from they are those of the packages in --before, and without it those of today.`;
