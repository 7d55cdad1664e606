import type { Target } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";
import { Option } from "commander";
import { dailyRollUps, scoreChanges } from "../asking/past.ts";
import { addFormFlags, formOf, printList } from "../asking/print-list.ts";
import { dayOf } from "../asking/words.ts";
import { addExamples, addServiceFlags, addTargetFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { exitCodes } from "../exit-codes.ts";
import { metricNamed } from "../metrics.ts";
import { requireNames, resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { UsageError } from "../usage-error.ts";

/** The names that a level needs. */
const levels: Readonly<Record<string, readonly (keyof Target)[]>> = {
  app: targetFields,
  team: ["area", "team", "env"],
  area: ["area", "env"],
};

/** `maturity history`: how a score came to be what it is. */
export const history: CommandModule = {
  define(command) {
    command
      .description(
        "Tells the score of an application at the beginning of each day, or each change of one metric, the oldest first.",
      )
      .option("-m, --metric <name>", "each change of this metric instead: image_scan, or cost.budget")
      .addOption(new Option("--of <level>", "whose days; default: app").choices(Object.keys(levels)))
      .option("--since <day>", "from this day on, 2026-01-31 or 30d; default: 30d")
      .option("--until <day>", "up to this day");
    addTargetFlags(command);
    addFormFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["this application in the last 30 days", "maturity history"],
      ["its team in the last year", "maturity history --of team --since 365d"],
      ["why one metric is what it is", "maturity history --metric image_scan"],
    ]);
  },

  async run(_, flags, context, output) {
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const form = formOf(flags);
    const metric = flags.metric === undefined ? undefined : metricNamed(String(flags.metric));
    if (metric && flags.of !== undefined) throw new UsageError("--metric is of an application, so it takes no --of");
    const names = levels[String(flags.of ?? "app")] ?? targetFields;
    const target = requireNames(settings, names);
    const query = {
      ...Object.fromEntries(names.map((name) => [name, target[name]])),
      ...metric,
      since: dayOf(flags.since ?? "30d", context.now()),
      ...(flags.until !== undefined && { until: dayOf(flags.until, context.now()) }),
    };
    const client = await connect(settings, flags, context, output);
    await printList(metric ? scoreChanges : dailyRollUps, query, form, client, output);
    return exitCodes.done;
  },
};
