import { appChanges } from "../asking/past.ts";
import { addFormFlags, addNameFilters, formOf, printList } from "../asking/print-list.ts";
import { dayOf } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** `maturity changes`: what got worse or better, and by what. */
export const changes: CommandModule = {
  define(command) {
    command.description(
      "Tells how much each application lost or gained since a day, the greatest loss first, and how much of it reports, " +
        "rules, waivers and moves made. It narrows by its flags alone, as list does.",
    );
    addNameFilters(command);
    command
      .option("--since <day>", "compared with the beginning of this day, 2026-01-31 or 30d; default: 30d")
      .option("--sort <order>", "loss, gain or name; default: loss");
    addFormFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["what got worse in the last month", "maturity changes --since 30d"],
      ["what a team gained since the year began", "maturity changes --team checkout --since 2026-01-01 --sort gain"],
    ]);
  },

  async run(_, flags, context, output) {
    const { area, team, app, env, sort } = flags;
    const form = formOf(flags);
    const since = dayOf(flags.since ?? "30d", context.now());
    const given = Object.entries({ area, team, app, env, sort }).filter(([, value]) => value !== undefined);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    await printList(appChanges, { ...Object.fromEntries(given), since }, form, client, output);
    return exitCodes.done;
  },
};
