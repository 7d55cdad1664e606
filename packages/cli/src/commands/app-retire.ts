import type { Retired } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import { requireName } from "@maturity/command-line/require-name";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import { scopeText } from "../asking/words.ts";
import type { CommandModule } from "../command.ts";
import { decidingCommand } from "../deciding/consent.ts";
import { addAppNames, namesOf, requireAppNames } from "../deciding/named.ts";
import { countText, listed, maxReason } from "../deciding/words.ts";

/** `maturity app retire`: takes an application, or one of its environments, out of everything that is shown. */
export const appRetire: CommandModule = decidingCommand<Retired>({
  description:
    "Takes an application, or one of its environments, out of scores, scrapes, problems and alerts. What it has stored is " +
    "kept, and a report for it is refused until it is restored. On a terminal it prints what it would do, and asks.",
  define(command) {
    addAppNames(command, "Which one");
    command.option("--env <name>", envHelp).option("--reason <text>", "why, for a reader who looks for it");
  },
  read(_, flags, __, output) {
    const app = retirable(flags);
    if (typeof flags.reason !== "string") throw new UsageError('give --reason, such as --reason "switched off"');
    requireName("--reason", flags.reason, maxReason);
    const reason = flags.reason;
    return (client) => ({
      act: (dryRun) => client.retire({ ...app, reason, dry_run: dryRun }),
      show(result, dryRun) {
        output.line(`${dryRun ? "would retire" : "retired"} ${whatOf(app, result)} are shown no more, and kept`);
        return true;
      },
    });
  },
  examples: [
    [
      "one that was switched off",
      'maturity app retire --area shop --team checkout --app fax --reason "switched off" --yes',
    ],
    [
      "a preview that is gone",
      'maturity app retire --area shop --team checkout --app cart --env preview-7 --reason "merged" --yes',
    ],
  ],
});

/** `maturity app restore`: brings a retired application, or a retired environment, back. */
export const appRestore: CommandModule = decidingCommand<Retired>({
  description:
    "Brings a retired application, or a retired environment, back, with all that it had stored. On a terminal it " +
    "prints what it would do, and asks.",
  define(command) {
    addAppNames(command, "Which one");
    command.option("--env <name>", envHelp);
  },
  read(_, flags, __, output) {
    const app = retirable(flags);
    return (client) => ({
      act: (dryRun) => client.restore({ ...app, dry_run: dryRun }),
      show(result, dryRun) {
        output.line(`${dryRun ? "would restore" : "restored"} ${whatOf(app, result)} are shown again`);
        return true;
      },
    });
  },
  examples: [
    ["the retired ones", "maturity app list --retired"],
    ["one of them", "maturity app restore --area shop --team checkout --app fax --yes"],
  ],
});

const envHelp = "this environment of it alone; the whole application without it";

function retirable(flags: Flags): ReturnType<typeof requireAppNames> & { readonly env?: string } {
  return { ...requireAppNames(flags), ...namesOf(flags, ["env"]) };
}

/** An application, and how much it has stored. */
function whatOf(app: ReturnType<typeof retirable>, { scores, problems }: Retired): string {
  const what = listed([countText(scores, "score"), countText(problems, "problem")]);
  return `${printable(scopeText(app))}: ${what}`;
}
