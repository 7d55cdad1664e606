import type { AnySubmission, Campaign, CampaignPreview, CampaignRequest, Client } from "@maturity/client";
import { printable } from "@maturity/command-line/terminal";
import { campaignTable, goalText, showCampaign } from "../asking/campaigns.ts";
import { listCommand } from "../asking/list-command.ts";
import { choice, formOf } from "../asking/print-list.ts";
import { addExamples, addServiceFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import { decidingCommand } from "../deciding/consent.ts";
import { findById, isWholeId, requireId } from "../deciding/find-by-id.ts";
import { addCampaignFlags, readCampaign } from "../deciding/read-campaign.ts";
import { exitCodes } from "../exit-codes.ts";
import { settingsOf } from "../settings-file.ts";

/** How many members `maturity campaign show` prints without `--limit`. */
const shownMembers = 20;

const states = ["draft", "running", "ended", "archived"] as const;

const idHelp = "of the campaign, or as much of it as maturity campaign list shows";

/** `maturity campaign list`: the campaigns with their progress. */
export const campaignList: CommandModule = listCommand({
  description:
    "Lists campaigns, which are goals for many applications by a date, with their progress; what is due first at the top.",
  define(command) {
    command.addOption(choice("--state <state>", "only in this state; default: all but the archived", states));
  },
  table: () => campaignTable,
  examples: [["the campaigns that a team has to do with", "maturity campaign list --area shop --team checkout"]],
});

/** `maturity campaign show`: one campaign, and the members that are left. */
export const campaignShow: CommandModule = {
  define(command) {
    command
      .description("Shows a campaign: its progress, and the members that are left, the worst first, with what to fix.")
      .argument("<id>", idHelp)
      .option("--limit <number>", `how many members at the most; default: ${shownMembers}`);
    addServiceFlags(command);
    addExamples(command, [["one of them", "maturity campaign show 0195e1f4"]]);
  },
  async run([id = ""], flags, context, output) {
    const { limit = shownMembers } = formOf(flags);
    const client = await connect(await settingsOf(flags, context), flags, context, output);
    output.progress("asking …");
    const campaign = await findCampaign(client, id);
    const page = await client.campaignMembers(campaign.id, { met: false, limit: Math.min(limit, 1_000) }).page();
    showCampaign(campaign, { left: page.items, total: page.total }, output);
    output.result({ ...campaign, left: page.items });
    return exitCodes.done;
  },
};

/** `maturity campaign create`: makes a campaign. */
export const campaignCreate: CommandModule = decidingCommand<(CampaignRequest & CampaignPreview) | Campaign>({
  description:
    "Makes a campaign: a goal for many applications by a date. It needs a token with the scope campaign:write.",
  define: addCampaignFlags,
  read(_, flags, __, output) {
    const request = readCampaign(flags);
    return (client) => ({
      act: async (dryRun) =>
        dryRun
          ? { dry_run: true, ...request, ...(await client.previewCampaign(request)) }
          : client.makeCampaign(request),
      show(one) {
        const did = "id" in one ? "made" : "would make";
        output.line(printable(`${did} the campaign ${one.name}: ${goalText(one.goal)} by ${one.due}`));
        const { members, met, left, waived, exempt } = one.progress;
        const counts = Object.entries({ waived, exempt }).flatMap(([word, count]) =>
          count > 0 ? [`, ${count} ${word}`] : [],
        );
        output.line(`  ${members} members: ${met} meet the goal now, ${left} do not${counts.join("")}`);
        if ("id" in one) output.line(output.colors.dim(`maturity campaign show ${one.id} shows who is left`));
        return true;
      },
    });
  },
  examples: [
    [
      "no secrets in production by spring",
      'maturity campaign create --name "No secrets" --why "two incidents" --owner "security office" --metric secret_scan --min 100 --env prod --due 2027-03-31 --yes',
    ],
  ],
});

/** `maturity campaign end`: ends a campaign before its date. */
export const campaignEnd: CommandModule = decidingCommand<Campaign>({
  description: "Ends a campaign now. It stays in maturity campaign list, and its recorded days stay as they are.",
  define: (command) => command.argument("<id>", idHelp),
  read:
    ([id = ""], _, __, output) =>
    (client) => ({
      async act(dryRun) {
        const found = await findCampaign(client, id);
        return dryRun ? found : client.changeCampaign(found.id, { state: "ended" });
      },
      show({ name, state, progress }, dryRun) {
        const isOver = dryRun && state !== "running";
        const what = isOver ? `the campaign is ${state}, so it cannot be ended` : `${dryRun ? "would end" : "ended"}`;
        output.line(printable(`${what}: ${name}; ${progress.met} meet the goal, ${progress.left} do not`));
        return !isOver;
      },
    }),
  examples: [["end one", "maturity campaign end 0195e1f4 --yes"]],
});

/**
 * The campaign whose id begins so, in whatever state.
 *
 * @throws UsageError if there is none, or there are several
 */
async function findCampaign(client: Client<AnySubmission>, id: string): Promise<Campaign> {
  requireId("campaign", id);
  if (isWholeId(id)) return client.campaign(id);
  return findById("campaign", id, [client.campaigns({ state: [...states] })]);
}
