import { auditTable } from "../asking/audit.ts";
import { addFormFlags, addNameFilters, formOf, printList } from "../asking/print-list.ts";
import { dayOf } from "../asking/words.ts";
import { addExamples, addServiceFlags, type CommandModule, collect } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** `maturity audit`: who did what. */
export const audit: CommandModule = {
  define(command) {
    command.description(
      "Lists who did what, the newest first: registrations, moves, waivers, tokens and policies, all that is no report. It " +
        "narrows by its flags alone, as list does, and needs a token with the scope admin.",
    );
    addNameFilters(command);
    command
      .option("--actor <name>", "only by this token, pipeline or command", collect)
      .option("--action <name>", "only deeds of this kind, such as waiver.create", collect)
      .option("--since <day>", "from this day on, 2026-01-31 or 30d")
      .option("--until <day>", "up to this day");
    addFormFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["who decided what about a team", "maturity audit --area shop --team checkout"],
      ["who waived what in the last month", "maturity audit --action waiver.create --since 30d"],
    ]);
  },

  async run(_, flags, context, output) {
    const { area, team, app, env, actor, action, since, until } = flags;
    const form = formOf(flags);
    const day = (flag: unknown) => (flag === undefined ? undefined : dayOf(flag, context.now()));
    const query = { area, team, app, env, actor, action, since: day(since), until: day(until) };
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    await printList(auditTable, Object.fromEntries(given), form, client, output);
    return exitCodes.done;
  },
};
