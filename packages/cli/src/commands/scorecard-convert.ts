import { relative, resolve } from "node:path";
import type { Flags } from "@maturity/command-line/flags";
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
      .option("--registry <url>", "the npm registry that has the packages of Maturity");
    addExamples(command, [
      ["into the folder cost", "maturity scorecard convert cost.yaml --package @acme/cost -o cost"],
    ]);
  },

  async run([path = ""], flags, context, output) {
    const { declaration } = await readScorecard(path, context.cwd);
    const { sourceOf } = await import("../scorecards/source.ts");
    const { folder, name, files } = await written(flags, declaration, sourceOf(declaration), context.cwd);
    const paths = Object.keys(files).sort();
    output.line(`wrote ${printable(name)} into ${printable(folder)}: ${paths.join(", ")}`);
    output.line(
      `Now npm install and npm test there. SCORECARDS names ${printable(name)} in place of ${printable(path)}.`,
    );
    output.result({ package: name, folder, files: paths });
    return exitCodes.done;
  },
};

/** @throws UsageError when a flag cannot be used, or the folder cannot be written; then nothing is */
async function written(
  flags: Flags,
  { name: scorecard, version }: { readonly name: string; readonly version: string },
  source: Readonly<Record<string, string>>,
  cwd: string,
) {
  const [{ checkPackageName, readCi, readRegistry, UnusableAnswer }, { projectFiles }, { writeAll }] =
    await Promise.all([
      import("../../../create-scorecard/src/answers.ts"),
      import("../../../create-scorecard/src/template/project.ts"),
      import("../../../create-scorecard/src/write.ts"),
    ]);
  try {
    const short = scorecard.replaceAll("_", "-").replace(/-+$/, "");
    const name = String(flags.package ?? short);
    checkPackageName(name);
    const registry = flags.registry === undefined ? undefined : readRegistry(String(flags.registry));
    const files = {
      ...projectFiles({ package: name, version, scorecard, ci: readCi(String(flags.ci)), registry }),
      ...source,
    };
    const folder = resolve(cwd, String(flags.output ?? short));
    await writeAll(folder, files, cwd);
    return { name, folder: relative(cwd, folder), files };
  } catch (error) {
    const { code, message } = Object(error) as NodeJS.ErrnoException;
    if (error instanceof UnusableAnswer || code !== undefined) throw new UsageError(message, { cause: error });
    throw error;
  }
}
