import type { Flags } from "@maturity/command-line/flags";
import { Option } from "commander";
import { listCommand } from "../asking/list-command.ts";
import { appsWithLacks, levelTable, lists } from "../asking/lists.ts";
import { changedApps, changeTotals } from "../asking/past.ts";
import { choice } from "../asking/print-list.ts";
import { formerNames, heldApps, registeredApps, retiredApps } from "../asking/registry.ts";
import { type CommandModule, collect } from "../command.ts";

const ofScores = [
  ...["env", "below", "since", "missing", "level", "sort"],
  ...["belowLevel", "lacks", "state", "owner", "tier", "label"],
];

/** `maturity app list`: the applications with what they score, or what the registry has of them. */
export const appList: CommandModule = listCommand({
  description:
    "Lists applications with what they score, the worst first, or what the registry has of them. It narrows by its " +
    "flags alone: maturity.yaml and the environment say where the service is, not what to list.",
  define(command) {
    command
      .option("--below <score>", "only those that score below this")
      .option("--since <day>", "from when on the change counts, 2026-01-31 or 30d, the default")
      .option("--missing <name>", "only those that never reported this metric or scorecard", collect)
      .option("--level <name>", "only of this level, such as silver, or none", collect)
      .option("--below-level <name>", "only those below this level")
      .option("--lacks", "with what each lacks for that level, otherwise for its next")
      .addOption(choice("--state <state>", "only in this state", ["fresh", "stale", "silent", "held"]))
      .option("--owner <name>", "only of this owner", collect)
      .option("--tier <name>", "only of this tier", collect)
      .option("--label <name=value>", "only with this label", collect)
      .option("--sort <order>", "score, -score, reported, change, lacks or name")
      .addOption(
        view("--registered", "what is registered, whether or not it reports", ["retired", "held", "formerNames"]),
      )
      .addOption(
        view("--retired", "applications and environments that are retired, with the reason", ["held", "formerNames"]),
      )
      .addOption(
        view("--held", "what reported and waits to be registered; it counts nowhere until then", ["formerNames"]),
      )
      .addOption(
        view("--former-names", "names that moves left behind, and when a report last used each", [
          ...["area", "team", "app"],
        ]),
      );
  },
  table: ({ registered, retired, held, formerNames: former, lacks }: Flags) => {
    if (former) return formerNames;
    if (held) return heldApps;
    if (retired) return retiredApps;
    if (registered) return registeredApps;
    return lacks ? appsWithLacks : lists.app;
  },
  examples: [
    ["where a team has to do something", "maturity app list --team checkout --below 60"],
    ["which lack least for silver", "maturity app list --below-level silver --lacks --sort lacks"],
    ["which never reported security", "maturity app list --missing security"],
    ["what a team answers for", "maturity app list --registered --team checkout"],
    ["what was retired, and why", "maturity app list --retired"],
    ["which names nobody registered", "maturity app list --held"],
    ["which pipelines still report under an old name", "maturity app list --former-names"],
    ["everything for a spreadsheet", "maturity app list --csv > apps.csv"],
  ],
});

/** A flag that lists something else of applications than their scores. */
function view(flag: string, description: string, conflicts: readonly string[]): Option {
  return new Option(flag, description).conflicts([...ofScores, ...conflicts]);
}

/** `maturity app changes`: what got worse or better, and by what. */
export const appChanges: CommandModule = listCommand({
  description:
    "Shows how much each application lost or gained since a day, the greatest loss first, and how much of it reports, " +
    "rules, waivers and moves made. It narrows by its flags alone, as app list does.",
  define(command) {
    command
      .option("--since <day>", "compared with the beginning of this day, 2026-01-31 or 30d", "30d")
      .addOption(choice("--by <part>", "those of each area or team, or of all", ["area", "team", "organisation"]))
      .option("--sort <order>", "loss, gain or name; default: loss");
  },
  table: ({ by }) => (by ? changeTotals : changedApps),
  examples: [
    ["which team lost most, and by what", "maturity app changes --by team --env prod"],
    ["what a team gained since the year began", "maturity app changes --team checkout --since 2026-01-01 --sort gain"],
  ],
});

/** `maturity app levels`: the levels with what they need, and how many applications have them. */
export const appLevels: CommandModule = listCommand({
  description:
    "Lists the levels of each environment, the lowest first: how many applications have each, how many are below it, and " +
    "what it needs beside all that the levels below it need. It narrows by its flags alone, as app list does.",
  table: () => levelTable,
  examples: [
    ["how many are below silver", "maturity app levels --env prod"],
    ["which these are, the nearest first", "maturity app list --env prod --below-level silver --lacks --sort lacks"],
  ],
});
