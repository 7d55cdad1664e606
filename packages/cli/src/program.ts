import { printableLines } from "@maturity/command-line/terminal";
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addCommonFlags, type CommandModule } from "./command.ts";
import { commands, headings, nouns } from "./commands.ts";
import type { Context } from "./context.ts";

/**
 * Creates the program. Its commands have only a name and a summary; `defineCommand` adds the rest to the one that is
 * called.
 */
export function createProgram({ stdout, stderr }: Pick<Context, "stdout" | "stderr">): Command {
  const program = new Command("maturity")
    .description("Reports to the Maturity service from any pipeline, and shows what it has stored.")
    .version(packageJson.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .showHelpAfterError("(maturity --help shows more)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Errors of commander repeat texts of the caller, and begin differently from the other errors of this program.
      outputError: (text, write) => write(printableLines(text.replace(/^error: /, "maturity: "))),
    })
    .addHelpText("after", about);
  for (const [heading, words] of Object.entries(headings)) {
    program.commandsGroup(heading);
    for (const word of words) {
      if (Object.hasOwn(nouns, word)) addNoun(program, word);
      else program.command(word).summary(summaryOf(word));
    }
  }
  const help = new Command("help").argument("[command]").summary("print help of a command");
  return program.addHelpCommand(help.helpGroup(Object.keys(headings).at(-1) ?? ""));
}

/** Adds a noun, which prints the help of its commands. */
function addNoun(program: Command, word: string): void {
  const verbs = verbsOf(word);
  const noun = program
    .command(word)
    .summary(verbs.join(", "))
    .description(`Commands about ${nouns[word]}.`)
    .helpCommand(false)
    .allowUnknownOption() // so that the error lists its commands, whatever flags are given
    .showHelpAfterError(`(maturity ${word} --help shows more)`);
  for (const verb of verbs) noun.command(verb).summary(summaryOf(`${word} ${verb}`));
}

function summaryOf(name: string): string {
  const [summary = ""] = commands[name] ?? [];
  return summary;
}

/** The second words of the commands that begin with a noun. */
export function verbsOf(noun: string): readonly string[] {
  return Object.keys(commands).flatMap((name) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));
}

/** The command with this name, which may have two words. */
export function findCommand(program: Command, words: readonly string[]): Command | undefined {
  return words.reduce<Command | undefined>(
    (above, word) => above?.commands.find((one) => one.name() === word),
    program,
  );
}

/** The name of the command that a command line calls: its first two words if they are one, else its first. */
export function calledName([first = "", second = ""]: readonly string[]): string {
  const both = `${first} ${second}`;
  return Object.hasOwn(commands, both) ? both : first;
}

/**
 * Adds arguments, flags and help to a command.
 *
 * @param name the words that call it
 */
export function defineCommand(command: Command, name: string, module: CommandModule): void {
  module.define(command);
  addCommonFlags(command, module.output);
  command.showHelpAfterError(`(maturity ${name} --help shows more)`);
  refuseLostValues(command);
  if (command.registeredArguments.length === 0) command.allowExcessArguments(); // refused by `refuseNames`
}

/** Refuses a name without its option, as in `maturity app show cart`. */
export function refuseNames(command: Command, name: string): void {
  const [given] = command.args;
  if (given === undefined || command.registeredArguments.length > 0) return;
  const noun = name.split(" ")[0];
  const option = command.options.find(({ long }) => long === `--${noun}`);
  const hint = option ? `; is it --${noun} ${given}?` : "";
  command.error(`error: maturity ${name} takes options alone, and ${given} is none${hint}`);
}

/**
 * Refuses values of options that would otherwise be ignored without a word: an empty value, which mostly comes from a
 * variable that is not set, and a second value of an option that takes only one.
 */
function refuseLostValues(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    let given = 0;
    command.on(`option:${option.name()}`, (value: string | null) => {
      if (value?.trim() === "") command.error(`error: ${option.long} is empty; is the variable set that it is from?`);
      const takesSeveral = Array.isArray(command.getOptionValue(option.attributeName()));
      if (++given > 1 && !takesSeveral) command.error(`error: ${option.long} takes one value, and stands there twice`);
    });
  }
}

const about = `
Examples:
  maturity submit --metric unit_coverage coverage/lcov.info
  maturity submit --metric libs_secrets --raw enabled=true
  maturity submit --gate --min image_scan=80 reports
  maturity problem report --type repository_secret --severity high gitleaks.json
  maturity waiver request --area shop --team checkout --app cart --metric dast \\
    --for 90d --owner ann --reason "new staging in spring"

Settings and names come from options, else from the environment, else from
maturity.yaml; the names of what is administered come from options alone.
Exit codes: 0 done, 1 gate not met, 2 wrong usage or unreadable report,
3 refused, 4 service unreachable, 5 nothing to send, 70 a fault of this program.
`;
