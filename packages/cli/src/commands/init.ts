import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { nameFault } from "@maturity/core/wire";
import { addExamples, addTargetFlags, type CommandModule } from "../command.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { resolveSettings } from "../settings.ts";
import { settingsFileName } from "../settings-file.ts";

const questions = [
  { name: "area", text: "Area, the top level grouping of teams", required: true },
  { name: "team", text: "Team", required: true },
  { name: "app", text: "Application", required: true },
  { name: "env", text: "Environment, where all reports from here are of one", required: false },
  {
    name: "url",
    text: "Address of the service, where it asks for no token; beside a token only MATURITY_URL counts",
    required: false,
  },
] as const;

/** `maturity init`: writes maturity.yaml from flags, variables and answers to questions. */
export const init: CommandModule = {
  define(command) {
    command
      .description(
        "Writes maturity.yaml into this directory. What no flag or variable gives is asked for on a terminal.",
      )
      .option("--url <address>", "address of the service (MATURITY_URL)")
      .option("--force", "replace the file that is there");
    addTargetFlags(command);
    addExamples(command, [
      ["by asking", "maturity init"],
      ["in a script", "maturity init --area shop --team checkout --app cart"],
    ]);
  },

  async run(_, flags, context, output) {
    const path = join(context.cwd, settingsFileName);
    const isThere = () => new UsageError(`${path} is there already; --force replaces it`);
    if (!flags.force && existsSync(path)) throw isThere();
    const settings = resolveSettings(flags, context.env, undefined);
    const given = Object.fromEntries(questions.map(({ name }) => [name, settings[name]?.value ?? ""]));
    const values = await answer(given, context);
    const { stringify } = await import("yaml");
    const text = `# Whose results this repository sends to the Maturity service.\n${stringify(values)}`;
    await writeFile(path, text, { flag: flags.force ? "w" : "wx" }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EEXIST" ? isThere() : new UsageError(`${path} cannot be written: ${error.code}`);
    });
    output.line(`wrote ${settingsFileName}`);
    output.result({ path, ...values });
    return exitCodes.done;
  },
};

/**
 * Asks for the values that are missing.
 *
 * @returns the values of the file, in their order
 * @throws UsageError if a value is missing and there is no terminal to ask on, or if a value is not allowed
 */
async function answer(
  given: Readonly<Record<string, string>>,
  { stdin, stderr, cwd }: Context,
): Promise<Record<string, string>> {
  const open = questions.filter(({ name }) => given[name] === "");
  const missing = open.filter(({ required }) => required);
  const values = { ...given };
  if (missing.length > 0 && !stdin.isTTY) {
    throw new UsageError(`give ${missing.map(({ name }) => `--${name}`).join(", ")}; there is no terminal to ask on`);
  }
  if (missing.length > 0) {
    const { createInterface } = await import("node:readline/promises");
    const terminal = createInterface({ input: stdin });
    const lines = terminal[Symbol.asyncIterator]();
    for (const { name, text, required } of open) {
      const proposal = name === "app" ? basename(cwd) : "";
      const hint = proposal ? ` [${proposal}]` : required ? "" : " (may be empty)";
      do {
        stderr.write(printable(`${text}${hint}: `));
        const { value, done } = await lines.next();
        if (done) throw new UsageError("the answers ended too early; nothing is written");
        values[name] = value.trim() || proposal;
      } while (required && values[name] === "");
    }
    terminal.close();
  }
  for (const [name, value] of Object.entries(values)) checkName(name, value);
  const { createClient } = await import("@maturity/client");
  if (values.url) createClient({ url: values.url }); // throws if this is no address of a service
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** Refuses a name that the service would refuse, so that the user learns it before the first pipeline runs. */
function checkName(name: string, value: string): void {
  if (name === "url" || value === "") return;
  const fault = nameFault(value);
  if (fault) throw new UsageError(`${name} ${fault}`);
}
