import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { Option } from "commander";
import { addExamples, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readScorecard } from "../scorecards/read.ts";

/** `maturity scorecard convert`: the package of a scorecard file, for whoever needs more than a curve. */
export const scorecardConvert: CommandModule = {
  output: ["<folder>", "the new or empty folder that gets the package; default: its name"],

  define(command) {
    command
      .argument("<file>", "the scorecard, in YAML")
      .description("Writes a scorecard in YAML as the source of a package, which gives the same scores and reasons.")
      .option("--package <name>", "name of the package, such as @acme/cost; default: made of the scorecard's")
      .addOption(
        new Option("--ci <name>", "whose pipelines test it").choices(["github", "gitlab", "none"]).default("github"),
      )
      .option("--registry <url>", "the npm registry of Maturity's packages and of the package's scope");
    addExamples(command, [
      ["into the folder cost", "maturity scorecard convert cost.yaml --package @acme/cost -o cost"],
    ]);
  },

  async run([path = ""], flags, context, output) {
    const { declaration } = await readScorecard(path, context.cwd);
    const { UnusablePackage, writePackage } = await import("@maturity/scorecard-file/write-package");
    const wanted = { package: textOf(flags.package), ci: String(flags.ci), registry: textOf(flags.registry) };
    const { folder, name, paths } = await writePackage(declaration, wanted, textOf(flags.output), context.cwd).catch(
      (error: unknown) => {
        throw error instanceof UnusablePackage ? new UsageError(error.message, { cause: error }) : error;
      },
    );
    output.line(`wrote ${printable(name)} into ${printable(folder)}: ${paths.join(", ")}`);
    output.line(
      `Now npm install and npm test there. SCORECARDS names ${printable(name)} in place of ${printable(path)}.`,
    );
    output.result({ package: name, folder, files: paths });
    return exitCodes.done;
  },
};

function textOf(flag: unknown): string | undefined {
  return flag === undefined ? undefined : String(flag);
}
