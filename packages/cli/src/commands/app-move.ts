import type { Move, Moved } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { scopeText } from "../asking/words.ts";
import type { CommandModule } from "../command.ts";
import { type DecidingCommand, decidingCommand } from "../deciding/consent.ts";
import { addAppNames, appFields, namesOf } from "../deciding/named.ts";
import { countText, listed } from "../deciding/words.ts";
import { exitCodes } from "../exit-codes.ts";

/** `maturity app move`: gives an application, a team or an area another name or place. */
export const appMove: CommandModule = moveCommand(false, {
  description:
    "Moves an application, a whole team or a whole area, with its scores, problems, history, waivers and registration. " +
    "Its pipelines may go on with the old name: what they report is stored under the new one. " +
    "On a terminal it prints what it would do, and asks.",
  examples: [
    [
      "another team takes an application",
      "maturity app move --area shop --team checkout --app cart --to-team payments --dry-run",
    ],
    [
      "an application gets another name",
      "maturity app move --area shop --team checkout --app cart --to-app basket --yes",
    ],
    ["a whole team gets another name", "maturity app move --area shop --team checkout --to-team buying --yes"],
  ],
});

/** `maturity app merge`: moves onto what is there already. */
export const appMerge: CommandModule = moveCommand(true, {
  description:
    "Moves as app move does, also onto an application that is there already: of each score and problem that both have, " +
    "the newer one counts. On a terminal it prints what it would do, and asks.",
  examples: [
    ["two names of one application", "maturity app merge --area shop --team checkout --app basket --to-app cart --yes"],
    ["two teams become one", "maturity app merge --area shop --team payments --to-team checkout --yes"],
  ],
});

function moveCommand(merge: boolean, about: Pick<DecidingCommand<Moved>, "description" | "examples">): CommandModule {
  return decidingCommand<Moved>({
    ...about,
    define(command) {
      addAppNames(command, "What to move, an area, a team or an application");
      command
        .optionsGroup("Where to; what is left out stays:")
        .option("--to-area <name>", "its area from then on")
        .option("--to-team <name>", "its team from then on")
        .option("--to-app <name>", "its name from then on");
    },
    read(_, flags, __, output) {
      const names = readMove(flags);
      return (client) => ({
        act: (dryRun) => client.move({ ...names, merge, dry_run: dryRun }),
        show(moved) {
          showMoved(moved, merge, output);
          return moved.conflicts.length === 0;
        },
      });
    },
    exit: ({ conflicts }) => (conflicts.length > 0 ? exitCodes.refused : exitCodes.done),
  });
}

/** @throws UsageError */
function readMove(flags: Flags): Pick<Move, "from" | "to"> {
  const { area, team, app } = namesOf(flags, appFields);
  const to = namesOf(flags, ["to-area", "to-team", "to-app"]);
  if (area === undefined)
    throw new UsageError("give --area, and --team and --app where a team or an application moves");
  if (app !== undefined && team === undefined) throw new UsageError("--app needs --team: an application is of a team");
  if (to["to-team"] !== undefined && team === undefined) throw new UsageError("--to-team needs --team");
  if (to["to-app"] !== undefined && app === undefined) throw new UsageError("--to-app needs --app");
  if (Object.keys(to).length === 0) throw new UsageError("give --to-area, --to-team or --to-app: where it moves to");
  const from = { area, ...(team !== undefined && { team }), ...(app !== undefined && { app }) };
  const target = {
    area: to["to-area"] ?? area,
    ...(team !== undefined && { team: to["to-team"] ?? team }),
    ...(app !== undefined && { app: to["to-app"] ?? app }),
  };
  if (placeText(from) === placeText(target))
    throw new UsageError("what --to-area, --to-team and --to-app name is the same as before");
  return { from, to: target };
}

function showMoved(moved: Moved, merge: boolean, output: Output): void {
  const { from, to, apps, scores, problems, conflicts, dry_run: isDry } = moved;
  const verb = merge ? "merge" : "move";
  const way = `${placeText(from)} ${merge ? "into" : "to"} ${placeText(to)}`;
  output.line(isDry ? `would ${verb} ${way}` : `${verb}d ${way}`);
  const what = [countText(apps, "application"), countText(scores, "score"), countText(problems, "problem")];
  output.line(`  ${listed(what)}`);
  if (moved.merged.scores + moved.merged.problems > 0) {
    const both = [countText(moved.merged.scores, "score"), countText(moved.merged.problems, "problem")];
    output.line(`  ${listed(both)} stand on both sides; of each the newer one counts`);
  }
  if (apps > 1) {
    for (const name of moved.names) output.line(`  ${placeText(name)}`);
    const others = apps - moved.names.length;
    if (others > 0) output.line(`  and ${others} more`);
  }
  showTokens(moved.tokens, output);
  for (const { reason } of conflicts) output.line(output.colors.red(`  refused: ${printable(reason)}`));
  if (conflicts.length > 0 && conflicts.every(({ kind }) => kind === "exists")) {
    output.note("maturity app merge moves onto what is there already");
  } else if (conflicts.length === 0 && !isDry) output.line("reports under the old name are stored under the new one");
}

/** The tokens that do not come along. */
function showTokens(tokens: Moved["tokens"], output: Output): void {
  if (tokens.length === 0) return;
  output.line(
    `  ${countText(tokens.length, "token")} bound to the old name alone, good for reports under it and nothing else:`,
  );
  for (const { id, name } of tokens) output.line(`    ${id} ${printable(name)}`);
}

function placeText(name: Moved["from"]): string {
  return printable(scopeText(name));
}
