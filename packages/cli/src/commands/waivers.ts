import { addFormFlags, addNameFilters, choice, formOf, printList } from "../asking/print-list.ts";
import { waiverTable } from "../asking/waivers.ts";
import { addExamples, addServiceFlags, type CommandModule, collect, valuesOf } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { metricNamed } from "../metrics.ts";
import { resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";

/** `maturity waivers`: who waived what, why and until when. */
export const waivers: CommandModule = {
  define(command) {
    command.description(
      "Lists the waivers in force, those that end first at the top. It narrows by its flags alone, as list does; a waiver " +
        "of a whole team is one of each of its applications.",
    );
    addNameFilters(command);
    command
      .option("-m, --metric <name>", "only of this metric, dast or cost.budget", collect)
      .option("--scorecard <name>", "only of this scorecard and its metrics", collect)
      .option("--problem <type>", "only of this type of problem", collect)
      .option("--owner <name>", "only those that this one answers for", collect)
      .addOption(choice("--kind <kind>", "only of this kind", ["accepted", "not_applicable"]))
      .option("--all", "those that have ended or were revoked, too")
      .option("--sort <order>", "expiry or newest; default: expiry");
    addFormFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["what ends next", "maturity waivers --limit 10"],
      ["what is waived of a team", "maturity waivers --area shop --team checkout"],
      ["end one", "maturity waivers revoke 0195e1f4"],
    ]);
  },

  async run(_, flags, context, output) {
    const { area, team, app, env, scorecard, problem, owner, kind, all, sort } = flags;
    const form = formOf(flags);
    const metrics = valuesOf(flags.metric).map(metricNamed);
    const query = {
      ...{ area, team, app, env, problem_type: problem, owner, kind, all, sort },
      scorecard: metrics.length > 0 ? [...new Set(metrics.map((metric) => metric.scorecard))] : scorecard,
      metric: metrics.length > 0 ? metrics.map(({ metric }) => metric) : undefined,
    };
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const client = await connect(settings, flags, context, output);
    await printList(waiverTable, Object.fromEntries(given), form, client, output);
    return exitCodes.done;
  },
};
