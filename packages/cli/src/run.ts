import { resolve } from "node:path";
import { insteadOf } from "@maturity/command-line/did-you-mean";
import type { Flags } from "@maturity/command-line/flags";
import { createOutput } from "@maturity/command-line/output";
import { writeResultFile } from "@maturity/command-line/result-file";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { type Command, CommanderError } from "commander";
import type { CommandModule } from "./command.ts";
import { loadCommand, nouns } from "./commands.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { reportFailure } from "./failure.ts";
import { meantBy } from "./other-names.ts";
import { calledName, createProgram, defineCommand, findCommand, refuseNames, verbsOf } from "./program.ts";

/** Runs a command line and returns the exit code. Errors of commands are printed, not thrown. */
export async function run(argv: readonly string[], context: Context): Promise<number> {
  const code = await runCommand(argv, context);
  const isSoft = code === exitCodes.gateNotMet || code === exitCodes.unreachable;
  if (!isSoft || !argv.includes("--soft-fail")) return code;
  createOutput(context, { quiet: argv.includes("--quiet") || argv.includes("-q") }).warn(
    `going on in spite of exit code ${code} (--soft-fail)`,
  );
  return exitCodes.done;
}

async function runCommand(argv: readonly string[], context: Context): Promise<number> {
  const program = createProgram(context);
  if (argv[0] === "__complete") return printCompletions(program, argv.slice(1), context);
  const words = argv[0] === "help" ? argv.slice(1) : argv;
  const name = calledName(words);
  let code: number = exitCodes.done;
  const module = await loadCommand(name);
  const command = module && findCommand(program, name.split(" "));
  if (command) {
    defineCommand(command, name, module);
    command.action(async () => {
      refuseNames(command, name);
      code = await runModule(module, command.args, command.opts(), context);
    });
  }
  try {
    const meant = meantBy(words, verbsOf);
    if (meant) program.error(`error: there is no command ${meant.given}: it is maturity ${meant.meant}`);
    if (isNoVerb(words)) {
      program.error(`error: there is no command ${name} ${words[1]}${insteadOf(words[1] ?? "", verbsOf(name))}`);
    }
    if (words.length === 0) program.outputHelp();
    else if (argv[0] === "help" && name.includes(" ")) command?.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    const message = error.code === "commander.help" ? verbless(argv) : error.message.replace(/^error: /, "");
    createOutput(context, { json: argv.includes("--json"), ndjson: argv.includes("--ndjson") }).error({
      code: "wrong-usage",
      message,
    });
    return exitCodes.wrongUse;
  }
  return code;
}

async function runModule(
  module: CommandModule,
  args: readonly string[],
  flags: Flags,
  context: Context,
): Promise<ExitCode> {
  let isWhole = true;
  const print = async (stdout: Context["stdout"]) => {
    const inner = { ...context, stdout, ...(flags.verbose === true && { fetch: logged(context) }) };
    const output = createOutput(inner, flags);
    try {
      return await module.run(args, flags, inner, output);
    } catch (error) {
      const code = reportFailure(error, output, context.stderr, flags.verbose === true);
      // JSON ends with the error. Where there is nothing to send, the result says why.
      isWhole = output.json || code === exitCodes.nothingToSend;
      return code;
    } finally {
      output.done();
    }
  };
  try {
    requirePaths(args);
    if (flags.output === undefined || module.output !== undefined) return await print(context.stdout);
    const path = String(flags.output);
    return await writeResultFile(resolve(context.cwd, path), path, print, () => isWhole);
  } catch (error) {
    return reportFailure(error, createOutput(context, flags), context.stderr);
  }
}

/** Calls the service, and prints each request with its outcome. */
function logged({ fetch, stderr, now }: Context): Context["fetch"] {
  return async (request) => {
    const begun = now();
    const log = (end: string) =>
      stderr.write(`${printable(`${request.method} ${request.url} ${end}`)} in ${Math.round(now() - begun)} ms\n`);
    try {
      const response = await fetch(request);
      log(String(response.status));
      return response;
    } catch (error) {
      log("failed");
      throw error;
    }
  };
}

/** Whether these words are a noun and something that is no command of it. */
function isNoVerb([noun = "", verb = "-"]: readonly string[]): boolean {
  return Object.hasOwn(nouns, noun) && !verb.startsWith("-") && !verbsOf(noun).includes(verb);
}

/** What is wrong with a noun alone, which then prints the help of its commands. */
function verbless([noun = ""]: readonly string[]): string {
  return `maturity ${noun} needs one of its commands: ${verbsOf(noun).join(", ")}`;
}

/** @throws UsageError for an empty path, because it would mean the working directory */
function requirePaths(paths: readonly string[]): void {
  if (paths.some((path) => path.trim() === "")) {
    throw new UsageError("a path is empty; is the variable set that it is from?");
  }
}

/** Prints the proposals for these words, one a line, for the scripts of `maturity completion`. */
async function printCompletions(program: Command, words: readonly string[], { stdout }: Context): Promise<number> {
  const { complete } = await import("./completion.ts");
  const name = calledName(words);
  const module = await loadCommand(name);
  const command = findCommand(program, name.split(" "));
  if (module && command) defineCommand(command, name, module);
  for (const candidate of await complete(program, words)) stdout.write(`${candidate}\n`);
  return exitCodes.done;
}
