import type { AnySubmission, Client } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Command } from "commander";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { settingsOf } from "../settings-file.ts";

/** Adds the flags of a command that changes more than the report of its caller. */
export function addConsentFlags(command: Command): void {
  command
    .optionsGroup("Before anything is changed:")
    .option("-y, --yes", "do it without asking; needed where there is no terminal to ask on")
    .option("-n, --dry-run", "print what it would do, and change nothing");
}

/** Something that changes more than the report of its caller. */
export interface Decision<Result> {
  /** Does it, or finds out what it would do. */
  act(dryRun: boolean): Promise<Result>;
  /**
   * Prints what was done or would be.
   *
   * @returns whether it can be done
   */
  show(result: Result, dryRun: boolean): boolean;
}

/** Prepares a decision once there is a client. */
export type Prepare<Result> = (client: Client<AnySubmission>) => Decision<Result> | Promise<Decision<Result>>;

/** A command that changes more than the report of its caller. */
export interface DecidingCommand<Result> {
  readonly description: string;
  /** Adds its arguments and flags. */
  define(command: Command): void;
  readonly examples: Parameters<typeof addExamples>[1];
  /** Reads the command line, before the service is called. */
  read(args: readonly string[], flags: Flags, context: Context, output: Output): Prepare<Result>;
  /** The exit code for what was done; 0 if it is left out. */
  exit?(result: Result): ExitCode;
}

/** Makes a command that asks, does what it describes and prints what it did. */
export function decidingCommand<Result extends object>(of: DecidingCommand<Result>): CommandModule {
  return {
    define(command) {
      command.description(of.description);
      of.define(command);
      addConsentFlags(command);
      addServiceFlags(command);
      addExamples(command, of.examples);
    },
    async run(args, flags, context, output) {
      const result = await decide(flags, context, output, of.read(args, flags, context, output));
      output.result(result);
      return of.exit?.(result) ?? exitCodes.done;
    },
  };
}

/**
 * Connects to the service, and does what the caller decides. On a terminal it prints what would be done and asks, with `--yes` it does
 * not ask, and with `--dry-run` it changes nothing.
 *
 * @returns what was done; or what would have been, where nothing was
 * @throws UsageError where there is neither a flag nor a terminal to ask on; nothing is asked of the service then
 */
export async function decide<Result>(
  flags: Flags,
  context: Context,
  output: Output,
  prepare: Prepare<Result>,
): Promise<Result> {
  const { yes, dryRun } = flags;
  if (yes && dryRun) throw new UsageError("give --yes or --dry-run, not both");
  if (!yes && !dryRun && !context.stdin.isTTY) {
    throw new UsageError("give --yes to do it, or --dry-run to see what it would do; there is no terminal to ask on");
  }
  const settings = await settingsOf(flags, context);
  const client = await connect(settings, flags, context, output);
  output.progress("asking …");
  const { act, show } = await prepare(client);
  if (!yes) {
    const plan = await act(true);
    if (!show(plan, true)) return plan;
    if (dryRun || !(await isConfirmed(context))) {
      output.line(`nothing is changed${dryRun ? " (--dry-run)" : ""}`);
      return plan;
    }
  }
  const done = await act(false);
  show(done, false);
  return done;
}

async function isConfirmed({ stdin, stderr }: Context): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  stderr.write("Do it? [y/N] ");
  const terminal = createInterface({ input: stdin });
  for await (const line of terminal) return /^y(?:es)?$/i.test(line.trim());
  return false;
}
