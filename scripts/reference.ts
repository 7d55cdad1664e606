import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, type Option } from "commander";
import type { CommandModule } from "../packages/cli/src/command.ts";
import { commands as cliCommands } from "../packages/cli/src/commands.ts";
import { createProgram, defineCommand, findCommand } from "../packages/cli/src/program.ts";
import { settingNames } from "../packages/cli/src/settings.ts";
import { purposes, unknownTool } from "../packages/reports/src/formats/sarif-tool.ts";
import { formats } from "../packages/reports/src/index.ts";
import { seenTools } from "../packages/reports/test/support/seen-tools.ts";
import type { Context } from "../services/scoring/src/commands/command.ts";
import { commands as serviceCommands } from "../services/scoring/src/commands/program.ts";
import { settings } from "../services/scoring/src/commands/settings.ts";

// Usage: node scripts/reference.ts [--check]. Writes the pages of the settings, the commands and the formats from the code; with
// --check it compares them instead.

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");

const made = "<!-- Made from the code by `pnpm reference`. -->";

const cell = (text: string) => text.replace(/\s+/g, " ").replaceAll("|", "\\|");
const shown = (value: unknown) => (value === undefined || String(value) === "" ? "none" : `\`${value}\``);

function settingsPage(): string {
  const rows = settings().map(({ name, required, fallback, values, meaning }) => {
    if (meaning === "") throw new Error(`the setting ${name} has no description`);
    const one = values.length > 0 ? ` One of ${values.map((value) => `\`${value}\``).join(", ")}.` : "";
    return `| \`${name}\` | ${required ? "required" : shown(fallback)} | ${cell(meaning)}.${one} |`;
  });
  return `# Settings

${made}

For whoever runs the service. After this page you know every setting, its default and where it is explained.

The service reads its settings from environment variables, once, when it starts. An empty variable counts as none. Where a setting
is wrong, the service does not start, and prints one message that lists every fault. Give all instances the same values.
[Configuration](configuration.md) shows the files that some settings name.

| variable | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

/** A section for a command, and for each command below it. */
function sections(
  command: Command,
  name: string,
  summary: string,
  isElsewhere: (option: Option) => boolean = () => false,
): string[] {
  const below = command.commands.filter((one) => one.name() !== "help");
  const nested = below.flatMap((one) => sections(one, `${name} ${one.name()}`, one.description() || one.summary()));
  if (below.length > 0) return nested;
  const words = command.registeredArguments.map((argument) => {
    const word = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const described = command.registeredArguments.filter(({ description }) => description !== "");
  const options = command.options.filter((option) => !option.hidden && !isElsewhere(option));
  return [
    `### \`${[name, ...words].join(" ")}\``,
    `${sentence(summary)}`,
    [
      ...described.map((it) => row(it.name(), it.description)),
      ...options.map((option) => row(option.flags, `${option.description}${extra(option)}`)),
    ].join("\n"),
  ].flatMap((part, index) => (index === 2 ? (part === "" ? [] : [`| | |\n|---|---|\n${part}`]) : [part]));
}

const optionRow = ({ flags, description }: Option) => row(flags, description);
const row = (what: string, meaning: string) => `| \`${cell(what)}\` | ${cell(meaning)} |`;
const sentence = (text: string) => {
  const [line = ""] = text.trim().split(/(?<=\.)\s/, 1);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${line.endsWith(".") ? "" : "."}`;
};

function extra({ argChoices, defaultValue }: Option): string {
  const choices = argChoices ? `; one of ${argChoices.join(", ")}` : "";
  return defaultValue === undefined ? choices : `${choices}; default: ${defaultValue}`;
}

/** The flags of every command of `maturity`, which stand once at the head of its part. */
const common: readonly string[] = ["--json", "--ndjson", "--output", "--quiet", "--verbose", "--soft-fail"];
const ofService: readonly string[] = ["--url", "--token-file", "--audience", "--timeout"];
const isCommon = (long?: string) => [...common, ...ofService].includes(long ?? "");

async function cliPart(): Promise<string[]> {
  const common = (await cliCommand("submit")).options.filter(({ long }) => isCommon(long)).map(optionRow);
  const parts: string[] = [];
  for (const [name, [summary]] of Object.entries(cliCommands)) {
    const command = await cliCommand(name);
    parts.push(...sections(command, `maturity ${name}`, summary, (option) => common.includes(optionRow(option))));
  }
  const head = "Flags of every command; those about the service of each that asks it:";
  return [head, `| | |\n|---|---|\n${common.join("\n")}`, ...cliSettings(), ...cliExitCodes(), ...parts];
}

/** A command of `maturity` with its options. */
async function cliCommand(name: string): Promise<Command> {
  const nowhere = { write: () => true } as unknown as NodeJS.WriteStream;
  const command = findCommand(createProgram({ stdout: nowhere, stderr: nowhere }), name.split(" "));
  const exports = Object.entries((await cliCommands[name]?.[1]()) ?? {});
  const module = exports.find(([key]) => key === exported(name))?.[1] as CommandModule | undefined;
  if (!command || !module) throw new Error(`there is no command ${name}`);
  defineCommand(command, name, module);
  return command;
}

function cliSettings(): string[] {
  const rows = Object.entries(settingNames).map(
    ([key, { flag, variable }]) => `| \`${flag}\` | \`${variable}\` | ${key === "audience" ? "" : `\`${key}\` `}|`,
  );
  return [
    "### Settings",
    "From flags, else from the environment, else from the nearest `maturity.yaml` up to the root of the repository:",
    `| flag | variable | \`maturity.yaml\` |\n|---|---|---|\n${rows.join("\n")}`,
  ];
}

function cliExitCodes(): string[] {
  const source = read("packages/cli/src/exit-codes.ts");
  const rows = [...source.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n {2}\w+: (\d+),/gs)].map(
    ([, text = "", code]) => `| ${code} | ${cell(text.replace(/\n *\*/g, " ")).trim()} |`,
  );
  return ["### Exit codes", `| exit code | meaning |\n|---|---|\n${rows.join("\n")}`];
}

const exported = (name: string) => name.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());

async function servicePart(): Promise<string[]> {
  const parts: string[] = [];
  for (const { name, summary, load } of serviceCommands) {
    const command = new Command(name);
    (await load())(command, {} as Context);
    parts.push(...sections(command, `maturity-service ${name}`, summary));
  }
  return parts;
}

async function commandsPage(): Promise<string> {
  const text = [
    "# Commands",
    made,
    "For whoever types a command. After this page you know every command, argument and option of both programs.",
    "`maturity` calls the service from a pipeline or a terminal: [its README](../packages/cli/README.md) explains it with examples.\n`maturity-service` runs on the machine of the service, with its [settings](settings.md) in the environment.",
    "## maturity",
    ...(await cliPart()),
    "## maturity-service",
    ...(await servicePart()),
  ];
  return `${text.join("\n\n")}\n`;
}

function sarifTools(): string {
  const list = (metrics: readonly string[]) => metrics.map((metric) => `\`${metric}\``).join(", ");
  const rows = [
    ...purposes.map(([tools, purpose]) => [Object.keys(tools), purpose] as const),
    [["any other"], unknownTool] as const,
  ];
  const lines = rows.map(
    ([tools, { metric = "", metrics }]) =>
      `| ${tools.join(", ")} | ${list(metric ? [metric] : [])} | ${list(metrics.filter((one) => one !== metric))} |`,
  );
  return `| tools | feeds by itself | when it is named |\n|---|---|---|\n${lines.join("\n")}`.replaceAll("|  |", "| |");
}

function formatsPage(): string {
  const parts = formats.map(({ name, title, time, metric, metrics, problems = [] }) => {
    const source = read(`packages/reports/src/formats/${name}.ts`);
    const [, docstring] = /\/\*\*((?:(?!\*\/).)*)\*\/\nexport const \w+: Format\b/s.exec(source) ?? [];
    if (docstring === undefined) throw new Error(`the format ${name} has no docstring`);
    const versions = (seenTools[name] ?? []).filter((tool) => /\d/.test(tool));
    const named = metrics.filter((other) => other !== metric).join(", ");
    const facts = [
      metric ? `feeds ${metric}` : "",
      named && `feeds ${named} when it is named`,
      problems.length > 0 ? `problems of ${problems.join(", ")}` : "",
      time === "none" ? "states no time" : `states its time by ${time.fields.map((one) => `\`${one}\``).join(", ")}`,
      versions.length > 0 ? `read from ${versions.join(", ")}` : "",
    ];
    const text = docstring.replace(/^ *\* ?/gm, "").trim();
    const tools = name === "sarif" ? `\n${sarifTools()}\n` : "";
    return `## \`${name}\`\n\n${title}: ${facts.filter(Boolean).join("; ")}.\n\n${text}\n${tools}`;
  });
  return `# Formats

${made}

For whoever has the report of a tool. After this page you know whether it is read, what it feeds, and what of it is counted.

A report that states no time is as old as its arrival. A report that says it scanned images feeds \`image_scan\` without a name, and a
report of GitLab the metric of its kind of scan. What is named is given by \`--metric\`, or by the option \`metric\` of
[@maturity/reports](../packages/reports/README.md). \`assumeScanned\` is \`--assume-scanned\`. The versions are those of real reports.

${parts.join("\n")}`;
}

const pages = { "settings.md": settingsPage(), "commands.md": await commandsPage(), "formats.md": formatsPage() };
for (const [name, text] of Object.entries(pages)) {
  const path = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`docs/${name} is not that of the code; run pnpm reference`);
    process.exitCode = 1;
  }
}
