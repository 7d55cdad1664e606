import { addFormFlags, formOf, printList } from "../asking/print-list.ts";
import { formerNames } from "../asking/registry.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** `maturity apps aliases`: former names, and who still uses them. */
export const appsAliases: CommandModule = {
  define(command) {
    command.description(
      "Lists the names that moves have left behind, the name that counts, and when a report last came under the old one.",
    );
    addFormFlags(command);
    addServiceFlags(command);
    addExamples(command, [["which pipelines still report under an old name", "maturity apps aliases"]]);
  },

  async run(_, flags, context, output) {
    const form = formOf(flags);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    await printList(formerNames, {}, form, client, output);
    return exitCodes.done;
  },
};
