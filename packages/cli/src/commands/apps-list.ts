import { addFormFlags, addNameFilters, formOf, printList } from "../asking/print-list.ts";
import { registeredApps, retiredApps } from "../asking/registry.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** `maturity apps list`: what is registered, or retired. */
export const appsList: CommandModule = {
  define(command) {
    command.description(
      "Lists the applications that are registered, whether or not they report. maturity list apps tells what all of them " +
        "score. It narrows by its flags alone, as list does.",
    );
    addNameFilters(command, ["area", "team", "app"]);
    command.option("--retired", "those that are retired instead, and retired environments, with the reason");
    addFormFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["what a team answers for", "maturity apps list --team checkout"],
      ["what was retired, and why", "maturity apps list --retired"],
    ]);
  },

  async run(_, flags, context, output) {
    const { area, team, app, retired } = flags;
    const form = formOf(flags);
    const given = Object.entries({ area, team, app, retired }).filter(([, value]) => value !== undefined);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    await printList(retired ? retiredApps : registeredApps, Object.fromEntries(given), form, client, output);
    return exitCodes.done;
  },
};
