import type { Command } from "commander";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Output } from "./output.ts";

/** One command: one file of `commands/`, listed in `commands.ts`. */
export interface CommandModule {
  /** Adds arguments, flags and examples. */
  define(command: Command): void;
  /**
   * Runs it.
   *
   * @param args what stands beside the flags
   * @param flags by their long names in camel case, as `define` made them
   * @throws UsageError, and the errors of the client and the reports, which `failure.ts` explains
   */
  run(args: readonly string[], flags: Flags, context: Context, output: Output): Promise<ExitCode>;
}

/** The flags that were given; each command reads those it defined. */
export type Flags = Readonly<Record<string, unknown>>;

/** Flags every command has. */
export function addCommonFlags(command: Command): void {
  command
    .optionsGroup("Output:")
    .option("--json", "print the result, or the error, as JSON")
    .option("--soft-fail", "end with 0 whatever happens, for pipelines that must go on");
}

/** Flags of commands that call the service. */
export function addServiceFlags(command: Command): void {
  command
    .optionsGroup("Service:")
    .option("--url <address>", "address of the service (MATURITY_URL)")
    .option("--token-file <file>", "file that holds the access token (or MATURITY_TOKEN)")
    .option("--audience <name>", "whom a token of the CI is made out to; default: maturity (MATURITY_AUDIENCE)")
    .option("--timeout <seconds>", "how long to go on trying; default: 60");
}

/** Flags of commands that report about an application. */
export function addTargetFlags(command: Command): void {
  command
    .optionsGroup("Whose result it is:")
    .option("--area <name>", "top level grouping of teams (MATURITY_AREA)")
    .option("--team <name>", "group of applications (MATURITY_TEAM)")
    .option("--app <name>", "application (MATURITY_APP)")
    .option("--env <name>", "environment, such as prod (MATURITY_ENV)");
}

/** Flags of commands that score on this machine. */
export function addScorecardFlags(command: Command): void {
  command.option(
    "--scorecards <packages>",
    "scorecard packages beside those that ship, with commas between (MATURITY_SCORECARDS)",
  );
}

/** Ends the help with examples, each a line of what it does and a command. */
export function addExamples(command: Command, examples: readonly (readonly [what: string, line: string])[]): void {
  const lines = examples.map(([what, line]) => `  # ${what}\n  ${line}\n`);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** For `--raw a=1 --raw b=2`. */
export function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}

/** The values of a flag that may stand several times. */
export function valuesOf(flag: unknown): readonly string[] {
  return Array.isArray(flag) ? flag : typeof flag === "string" ? [flag] : [];
}
