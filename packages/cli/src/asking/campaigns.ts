import type { AnySubmission, Campaign, CampaignMember, CampaignRequest, Client } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { shareText } from "@maturity/command-line/score-text";
import { type Column, numbers, showTable } from "@maturity/command-line/table";
import { printable } from "@maturity/command-line/terminal";
import type { Target } from "@maturity/core";
import { shownId } from "../deciding/find-by-id.ts";
import { type ListTable, named } from "./lists.ts";

/** The campaigns, those that are due first at the top. */
export const campaignTable: ListTable = {
  noun: "campaign",
  open: (client, query) => client.campaigns(query),
  columns: ({ colors }): Column<Campaign>[] => [
    { title: "id", text: ({ id }) => id.slice(0, shownId), isNumber: true },
    { title: "name", text: ({ name }) => name },
    { title: "state", text: ({ state }) => state, paint: ({ state }) => (state === "running" ? colors.bold : String) },
    { title: "due", text: ({ due }) => due },
    { title: "goal", text: ({ goal }) => goalText(goal) },
    numbers("met", ({ progress }) => metText(progress)),
    numbers("left", ({ progress }) => String(progress.left)),
    { title: "owner", text: ({ owner }) => owner },
  ],
};

/** What a goal asks for. */
export function goalText(goal: CampaignRequest["goal"]): string {
  const { metric, scorecard, min, level, no_open_problems: severities = [], problem_type: type } = goal;
  if (metric !== undefined || scorecard !== undefined) return `${metric ?? scorecard} from ${min} on`;
  if (level !== undefined) return `level ${level}`;
  return `no open ${severities.join(" or ")} problem${type === undefined ? "" : ` of the type ${type}`}`;
}

/** The share of those that have to meet the goal and do. */
function metText({ members, met, waived, exempt }: Campaign["progress"]): string {
  const counting = members - waived - exempt;
  return counting === 0 ? "-" : shareText(met / counting);
}

/** The members that are left, each with its step. */
export const memberColumns: readonly Column<CampaignMember>[] = [
  ...named<CampaignMember>("area", "team", "app", "env"),
  { title: "has", text: ({ value }) => valueText(value), isNumber: true },
  { title: "needs", text: ({ target }) => String(target), isNumber: true },
  { title: "fix first", text: ({ step }) => stepText(step) },
  { title: "", text: ({ state }) => (state === "lost" ? "met once, lost again" : ""), isOptional: true },
];

function valueText(value: CampaignMember["value"]): string {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : (value ?? "-");
}

function stepText(step: CampaignMember["step"]): string {
  if (!step) return "-";
  return `${step.scorecard}.${step.metric}${step.gain === null ? ", never reported" : `, +${step.gain.toFixed(1)}`}`;
}

/** Prints a campaign, its progress, and the members that are left. */
export function showCampaign(
  campaign: Campaign,
  { left, total }: { readonly left: readonly CampaignMember[]; readonly total: number },
  output: Output,
): void {
  const { name, why, owner, goal, starts, due, state, progress } = campaign;
  output.line(`${output.colors.bold(printable(name))}, ${state}: ${printable(goalText(goal))}`);
  output.paragraph(why.url === null ? why.text : `${why.text} ${why.url}`);
  output.line(printable(`from ${starts} to ${due}, owner ${owner}`));
  const { members, met, waived, exempt, joined, lost } = progress;
  const others = { waived, exempt, "joined since the start": joined, "met it once and lost it": lost };
  const counts = Object.entries(others).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
  output.line([`${met} of ${members - waived - exempt} meet the goal (${metText(progress)})`, ...counts].join(", "));
  if (left.length === 0) return;
  output.section("Left, the worst first");
  showTable(memberColumns, left, output);
  if (total > left.length) output.line(`and ${total - left.length} more; --limit shows more of them`);
}

/** A running campaign that waits for an application. */
export interface WaitingCampaign {
  readonly campaign: Campaign;
  readonly member: CampaignMember;
}

/** The running campaigns whose goal an application does not meet, those that are due first at the front. */
export async function waitingCampaigns(
  client: Client<AnySubmission>,
  { area, team, app, env }: Pick<Target, "area" | "team" | "app"> & Partial<Target>,
): Promise<WaitingCampaign[]> {
  const target = { area, team, app, ...(env !== undefined && { env }) };
  const running = await client.campaigns({ ...target, state: "running" }).toArray();
  const found = await Promise.all(
    running
      .filter(({ progress }) => progress.left > 0)
      .map(async (campaign) => {
        const members = await client.campaignMembers(campaign.id, { ...target, met: false }).toArray();
        return members.map((member) => ({ campaign, member }));
      }),
  );
  return found.flat();
}

/** Prints the campaigns that wait for an application. */
export function showWaiting(waiting: readonly WaitingCampaign[], output: Output): void {
  if (waiting.length === 0) return;
  output.section("Campaigns that wait for it");
  for (const { campaign, member } of waiting) {
    const { value, target, step, state } = member;
    const has = `has ${valueText(value)}, needs ${target}${state === "lost" ? "; it met the goal once" : ""}`;
    output.paragraph(
      `${campaign.name}, due ${campaign.due}: ${has}${step ? `; fix first ${stepText(step)}` : ""}`,
      "  ",
    );
  }
}
