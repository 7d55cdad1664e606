import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addCommonFlags, type CommandModule } from "./command.ts";
import { commands } from "./commands.ts";
import type { Context } from "./context.ts";
import { printableLines } from "./terminal.ts";

/** The program with its commands, by name and summary only. */
export function createProgram({ stdout, stderr }: Pick<Context, "stdout" | "stderr">): Command {
  const program = new Command("maturity")
    .description("Reports to the Maturity service from any pipeline.")
    .version(packageJson.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help of a command")
    .showHelpAfterError("(maturity --help tells more)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Commander's own errors repeat what was given, and begin as no other error of this program does.
      outputError: (text, write) => write(printableLines(text.replace(/^error: /, "maturity: "))),
    })
    .addHelpText("after", about);
  for (const [name, { summary }] of Object.entries(commands)) program.command(name).summary(summary);
  return program;
}

/** Completes a command of the program with its flags and its help. */
export function defineCommand(command: Command, module: CommandModule): void {
  module.define(command);
  addCommonFlags(command);
  command.showHelpAfterError(`(maturity ${command.name()} --help tells more)`);
}

const about = `
Settings come from flags, then from the environment, then from maturity.yaml, looked for
from here up to the root of the repository. Access tokens come from MATURITY_TOKEN, --token-file, MATURITY_ID_TOKEN,
or from GitHub Actions itself.

Exit codes: 0 done, 1 gate not met, 2 wrong usage or unreadable report, 3 refused by the
service, 4 service unreachable, 5 nothing to send, 70 a fault of this program.
`;
