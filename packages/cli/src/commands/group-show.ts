import type { Area, Team } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { showGroup } from "../asking/show-group.ts";
import { unknownNames } from "../asking/unknown-names.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { namesOf } from "../deciding/named.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Settings } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";

/** `maturity team show`: what a team scores, and what it fixes first. */
export const teamShow: CommandModule = groupCommand({
  description:
    "Shows what a team scores on average, and what it gains by each metric: how many of its applications score below " +
    "100 there, and which of them gain most. Without an environment it shows each.",
  names: { area: "its area", team: "the team" },
  missing: "give --area and --team, which name a team",
  example: "maturity team show --area shop --team checkout --env prod",
});

/** `maturity area show`: what an area scores, and what it fixes first. */
export const areaShow: CommandModule = groupCommand({
  description:
    "Shows what an area scores on average over its teams, and what it gains by each metric, as team show does. Without an " +
    "environment it shows each.",
  names: { area: "the area" },
  missing: "give --area, which names an area",
  example: "maturity area show --area shop --env prod",
});

interface GroupCommand {
  readonly description: string;
  /** The flags that name the group, each with its line of the help. */
  readonly names: { readonly area: string; readonly team?: string };
  readonly missing: string;
  readonly example: string;
}

function groupCommand({ description, names, missing, example }: GroupCommand): CommandModule {
  return {
    define(command) {
      command.description(description).optionsGroup("Which one:");
      for (const [name, help] of Object.entries(names)) command.option(`--${name} <name>`, help);
      command
        .option("--env <name>", "only in this environment")
        .option("--all", "every metric; else the five that gain most");
      addServiceFlags(command);
      addExamples(command, [["one of them", example]]);
    },
    async run(_, flags, context, output) {
      const { area, team, env } = namesOf(flags, ["area", "team", "env"]);
      if (area === undefined || (names.team && team === undefined)) throw new UsageError(missing);
      const settings = await settingsOf(flags, context);
      return showGroups({ area, ...(team && { team }), ...(env && { env }) }, settings, flags, context, output);
    },
  };
}

/** Shows a team or an area in each of its environments. */
export async function showGroups(
  names: { readonly area: string; readonly team?: string; readonly env?: string },
  settings: Settings,
  flags: Flags,
  context: Context,
  output: Output,
): Promise<ExitCode> {
  const client = await connect(settings, flags, context, output);
  output.progress("asking …");
  const query = { ...names, sort: "name", detail: true } as const;
  const { items, as_of } = await (names.team ? client.teams(query) : client.areas(query)).page();
  for (const [index, group] of (items as readonly (Team | Area)[]).entries()) {
    if (index > 0) output.line("");
    showGroup(group, flags.all === true, output);
    await output.item(group);
  }
  if (items.length === 0) {
    output.line(`${printable(Object.values(names).join(" / "))} has no score yet`);
    for (const { nearest, text } of await unknownNames(client, names)) if (nearest) output.warn(text);
  }
  output.items({ as_of });
  return exitCodes.done;
}
