import { scopeText } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule, type Flags } from "../command.ts";
import { connect } from "../connect.ts";
import { addAppNames, namesOf, requireAppNames } from "../deciding/named.ts";
import { countText, listed, maxReason, notYet } from "../deciding/words.ts";
import { exitCodes } from "../exit-codes.ts";
import { requireName } from "../sent-names.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { printable } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** `maturity app retire`: takes an application, or one of its environments, out of everything that is shown. */
export const appRetire: CommandModule = {
  define(command) {
    command.description(
      "Takes an application, or one of its environments, out of scores, scrapes, problems and alerts. What it has stored is " +
        "kept, and a report for it is refused until it is restored. Prints what it would do, and does it with --apply.",
    );
    addAppNames(command, "Which one");
    command
      .option("--env <name>", envHelp)
      .option("--reason <text>", "why, for whoever looks for it")
      .option("--apply", "retire it; without it nothing is changed");
    addServiceFlags(command);
    addExamples(command, [
      [
        "one that was switched off",
        'maturity app retire --area shop --team checkout --app fax --reason "switched off" --apply',
      ],
      [
        "a preview that is gone",
        'maturity app retire --area shop --team checkout --app cart --env preview-7 --reason "merged" --apply',
      ],
    ]);
  },

  async run(_, flags, context, output) {
    const app = retirable(flags);
    if (typeof flags.reason !== "string") throw new UsageError('give --reason, such as --reason "switched off"');
    requireName("--reason", flags.reason, maxReason);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    const retired = await client.retire({ ...app, reason: flags.reason, dry_run: flags.apply !== true });
    const what = listed([countText(retired.scores, "score"), countText(retired.problems, "problem")]);
    output.line(
      `${retired.dry_run ? "would retire" : "retired"} ${printable(scopeText(app))}: ${what} are shown no more, and kept`,
    );
    if (retired.dry_run) output.line(notYet);
    output.result(retired);
    return exitCodes.done;
  },
};

const envHelp = "this environment of it alone; the whole application without it";

function retirable(flags: Flags): ReturnType<typeof requireAppNames> & { readonly env?: string } {
  return { ...requireAppNames(flags), ...namesOf(flags, ["env"]) };
}

/** `maturity app restore`: brings a retired application, or a retired environment, back. */
export const appRestore: CommandModule = {
  define(command) {
    command.description(
      "Brings a retired application, or a retired environment, back, with all that it had stored. Prints what it would " +
        "do, and does it with --apply.",
    );
    addAppNames(command, "Which one");
    command.option("--env <name>", envHelp).option("--apply", "restore it; without it nothing is changed");
    addServiceFlags(command);
    addExamples(command, [
      ["the retired ones", "maturity app list --retired"],
      ["one of them", "maturity app restore --area shop --team checkout --app fax --apply"],
    ]);
  },

  async run(_, flags, context, output) {
    const app = retirable(flags);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    const restored = await client.restore({ ...app, dry_run: flags.apply !== true });
    const what = listed([countText(restored.scores, "score"), countText(restored.problems, "problem")]);
    output.line(
      `${restored.dry_run ? "would restore" : "restored"} ${printable(scopeText(app))}: ${what} are shown again`,
    );
    if (restored.dry_run) output.line(notYet);
    output.result(restored);
    return exitCodes.done;
  },
};
