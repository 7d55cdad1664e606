import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { type Command, Option } from "commander";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";

/** A command. Each has a file in `commands/`, and an entry in `commands.ts`. */
export interface CommandModule {
  /** What `-o` names, where it is no file that gets the result, such as `<folder>`, with its line of the help. */
  readonly output?: readonly [value: string, help: string];
  /** Adds the arguments, flags and examples of the command. */
  define(command: Command): void;
  /**
   * Runs the command.
   *
   * @param args the words of the command line that are no flags
   * @param flags the flags that were given, by their long names in camel case
   * @throws UsageError, and the errors of the client and of the reports. `failure.ts` explains them to the caller
   */
  run(args: readonly string[], flags: Flags, context: Context, output: Output): Promise<ExitCode>;
}

const resultFile = ["<file>", "write the result to this file instead of standard output"] as const;

/** Adds the flags that every command has. */
export function addCommonFlags(command: Command, [value, help]: CommandModule["output"] = resultFile): void {
  command
    .optionsGroup("Output:")
    .option("--json", "print the result, or the error, as one JSON document")
    .addOption(new Option("--ndjson", "the same as lines of JSON, of a list one for each item").conflicts("json"))
    .option(`-o, --output ${value}`, help)
    .addOption(new Option("-q, --quiet", "no notes, warnings and progress").conflicts("verbose"))
    .option("--verbose", "print each request, and where an error comes from")
    .option("--soft-fail", "end with 0 also where a gate is not met or the service is unreachable, and nowhere else");
}

/** Adds the flags of commands that call the service. */
export function addServiceFlags(command: Command): void {
  command
    .optionsGroup("Service:")
    .option("--url <address>", "address of the service (MATURITY_URL)")
    .option("--token-file <file>", "file that holds the access token (or MATURITY_TOKEN)")
    .option("--audience <name>", "whom a token of the CI is made out to; default: maturity (MATURITY_AUDIENCE)")
    .option("--timeout <seconds>", "how long to go on trying; default: 60");
}

/**
 * Adds the flags of commands that report about an application.
 *
 * @param team the flag of the team, if it means more than its name
 */
export function addTargetFlags(
  command: Command,
  team: readonly [flag: string, help: string] = ["--team <name>", "group of applications (MATURITY_TEAM)"],
): void {
  command
    .optionsGroup("Whose result it is:")
    .option("--area <name>", "top level grouping of teams (MATURITY_AREA)")
    .option(...team)
    .option("--app <name>", "application (MATURITY_APP)")
    .option("--env <name>", "environment, such as prod (MATURITY_ENV)");
}

/** Adds the flag of commands that compute scores on this machine. */
export function addScorecardFlags(command: Command): void {
  command.option(
    "--scorecards <packages>",
    "scorecard packages and files beside those that ship, with commas between (MATURITY_SCORECARDS)",
  );
}

/** Adds examples to the end of the help. Each is a description and a command line. */
export function addExamples(command: Command, examples: readonly (readonly [what: string, line: string])[]): void {
  const lines = examples.map(([what, line]) => `  # ${what}\n  ${line}\n`);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Parser of an option that may be given several times, as in `--raw a=1 --raw b=2`: collects the values in a list. */
export function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}
