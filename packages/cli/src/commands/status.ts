import type { AnySubmission, App, Client, StoredProblem, Waiver } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { printable, shellWord } from "@maturity/command-line/terminal";
import type { Target } from "@maturity/core";
import { targetFields } from "@maturity/core/wire";
import { findRetired, retiredText } from "@maturity/gate/retired";
import type { Command } from "commander";
import { showWaiting, type WaitingCampaign, waitingCampaigns } from "../asking/campaigns.ts";
import { gainOf } from "../asking/show-gain.ts";
import { showApp, showProblems, showWaivers } from "../asking/show-status.ts";
import { unknownNames } from "../asking/unknown-names.ts";
import { addExamples, addServiceFlags, addTargetFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { addAppNames, namesOf, requireAppNames } from "../deciding/named.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { requireNames, type Settings } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";
import { showGroups } from "./group-show.ts";

/** `maturity status`: what the application of this repository scores, why, and what would help most. */
export const status: CommandModule = {
  define(command) {
    command.description(
      "Shows what an application scores, which metrics cost it most and why, what is missing or old, and which " +
        "problems are open. Without an environment it shows each.",
    );
    addDetailFlags(command);
    addTargetFlags(command, [
      "--team [name]",
      "group of applications (MATURITY_TEAM); without a name: what this team as a whole scores, and gains",
    ]);
    addServiceFlags(command);
    addExamples(command, [
      ["this repository's application, as maturity.yaml names it", "maturity status"],
      ["what to fix first", "maturity status --gain"],
      ["what its team fixes first, over all its applications", "maturity status --team"],
      ["the score alone", "maturity status --json | jq '.items[].score'"],
    ]);
  },
  async run(_, flags, context, output) {
    const settings = await settingsOf(flags, context);
    if (flags.team === true) {
      const { area, team, env } = requireNames(settings, ["area", "team"]);
      return showGroups({ area, team, ...(env && { env }) }, settings, flags, context, output);
    }
    return showStatus(requireNames(settings, ["area", "team", "app"]), settings, flags, context, output);
  },
};

/** `maturity app show`: the same of any application. */
export const appShow: CommandModule = {
  define(command) {
    command.description("Shows of any application what status shows of the application of this repository.");
    addDetailFlags(command);
    addAppNames(command, "Which one");
    command.option("--env <name>", "only this environment of it");
    addServiceFlags(command);
    addExamples(command, [["one of them", "maturity app show --area shop --team checkout --app cart --env prod"]]);
  },
  async run(_, flags, context, output) {
    const target = { ...requireAppNames(flags), ...namesOf(flags, ["env"]) };
    const settings = await settingsOf(flags, context);
    return showStatus(target, settings, flags, context, output);
  },
};

function addDetailFlags(command: Command): void {
  command
    .option("--gain", "what to fix first: what each metric would raise, by the next value of each of its inputs too")
    .option("--all", "every metric that costs something, with its reasons or steps; else the five that cost most");
}

type AppTarget = Pick<Target, "area" | "team" | "app"> & Partial<Target>;

async function showStatus(
  target: AppTarget,
  settings: Settings,
  flags: Flags,
  context: Context,
  output: Output,
): Promise<ExitCode> {
  const client = await connect(settings, flags, context, output);
  output.progress("asking …");
  const [{ items: apps, as_of: asOf }, problems, scorecards, waivers, waiting] = await Promise.all([
    client.apps({ ...target, sort: "name", detail: true }).page(),
    client.problems({ ...target, sort: "severity", detail: true }).toArray(),
    client.scorecards().toArray(),
    client.waivers(target).toArray(),
    waitingCampaigns(client, target),
  ]);
  const waitingOf = (env: string | null) => waiting.filter(({ member }) => member.env === env);
  const openOf = (env: string | null) => problems.filter((problem) => problem.env === env);
  const waivedOf = (env: string | null) => waivers.filter((waiver) => waiver.env === null || waiver.env === env);
  const reported = apps.filter(({ env }) => env !== null);
  for (const [index, one] of reported.entries()) {
    if (index > 0) output.line("");
    showApp(one, scorecards, { all: flags.all === true, gain: flags.gain === true, asOf }, output);
    const [waived, open, campaigns] = [waivedOf(one.env), openOf(one.env), waitingOf(one.env)];
    showWaivers(waived, output);
    showProblems(open, asOf, output);
    showWaiting(campaigns, output);
    const gain = flags.gain === true && { gain: gainOf(one) };
    await output.item({ ...one, ...gain, open_problems: open, waivers: waived, campaigns });
  }
  if (reported.length === 0) {
    await showNothing(target, settings, { problems, waivers, waiting, registered: apps[0] }, client, output);
    showWaivers(waivers, output);
    showProblems(problems, asOf, output);
    showWaiting(waiting, output);
  }
  output.items({ as_of: asOf });
  return exitCodes.done;
}

/** What there is of an application without a score. */
interface Known {
  readonly problems: readonly StoredProblem[];
  readonly waivers: readonly Waiver[];
  readonly waiting: readonly WaitingCampaign[];
  /** What is registered of it. */
  readonly registered: App | undefined;
}

/** Says that an application has no score, and how to send the first one. */
async function showNothing(
  target: AppTarget,
  settings: Settings,
  { problems, waivers, waiting, registered }: Known,
  client: Client<AnySubmission>,
  output: Output,
): Promise<void> {
  const { total } = await client.scores({ ...target, limit: 1 }).page();
  const retired = total + problems.length === 0 ? await findRetired(client, target) : undefined;
  const why = retired && { retired_at: retired.retired_at, reason: retired.reason };
  const item = { ...target, env: target.env ?? null, score: null, ...registered, ...why };
  await output.item({ ...item, open_problems: problems, waivers, campaigns: waiting });
  const place = printable(Object.values(target).join(" / "));
  if (total > 0) {
    output.line(`${place} has just sent its first scores; they are rolled up within 15 seconds`);
    return;
  }
  if (retired) {
    output.line(printable(retiredText(retired)));
    return;
  }
  if (problems.length > 0) output.line(`${place} has reported only problems yet, so it has no score`);
  else {
    output.line(registered ? `${place} is registered, and has reported nothing yet` : `${place} has no score yet`);
    for (const { nearest, text } of await unknownNames(client, target)) if (nearest) output.warn(text);
  }
  const flags = targetFields.flatMap((name) => {
    const setting = settings[name];
    if (!setting) return name === "env" ? ["--env prod"] : [];
    return setting.from.startsWith("--") ? [`${setting.from} ${shellWord(setting.value)}`] : [];
  });
  output.line("this command sends the first scores, from a directory into which your tools wrote their reports:");
  output.line(`  ${["maturity submit", ...flags, "reports"].join(" ")}`);
}
