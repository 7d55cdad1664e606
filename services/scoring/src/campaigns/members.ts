import { yieldToEventLoop } from "../http/slices.ts";
import { excludedOf } from "../rollups/exemptions.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import type { ProblemsOf } from "./goal-problems.ts";
import { createJudge, type Judged, type Standing } from "./judge.ts";
import type { Marks } from "./marks.ts";
import { createFits } from "./scope.ts";

/** The states of a member. `lost`: it met the goal once and does not now. */
export const memberStates = ["met", "left", "lost", "waived", "exempt"] as const;

export type MemberState = (typeof memberStates)[number];

/** An application in an environment that the scope of a campaign fits. */
export interface Member extends Standing {
  readonly app: App | UnscoredApp;
  readonly state: MemberState;
  readonly joined: string | null;
  readonly metAt: string | null;
}

/** The members of a campaign, counted. */
export interface Progress {
  readonly members: number;
  readonly met: number;
  /** Those that do not meet the goal and are neither waived nor exempt. */
  readonly left: number;
  readonly waived: number;
  readonly exempt: number;
  /** Those that belong to it since a day after its start. */
  readonly joined: number;
  /** Those of `left` that met it once. */
  readonly lost: number;
}

/** What finding the members of campaigns takes. */
export interface MemberSources {
  readonly rules: OrganisationRules;
  /** Needed for goals about problems. */
  readonly problemsOf?: ProblemsOf | undefined;
  /** Today, in UTC. */
  readonly day: string;
}

/** What of a campaign decides on its members. */
export type CampaignOfMembers = Pick<StoredCampaign, "scope" | "goal" | "state" | "recorded">;

/** A campaign, and what is remembered of its members. */
export interface MarkedCampaign {
  readonly campaign: CampaignOfMembers;
  readonly marks: Marks;
}

type Subject = App | UnscoredApp;

/** Finds the members of a campaign among these applications, in their order, without blocking the event loop for long. */
export async function findMembers(
  marked: MarkedCampaign,
  apps: readonly Subject[],
  sources: MemberSources,
): Promise<Member[]> {
  const found: Member[] = [];
  const { standingOf } = createJudge(marked.campaign.goal, sources.rules);
  const visit: Visit = (judged, state, joined, metAt) => {
    found.push({ app: judged.app, state, joined, metAt, ...standingOf(judged) });
  };
  await visitMembers([{ ...marked, visit }], apps, sources);
  return found;
}

/** Counts the members of each of these campaigns as `findMembers` finds them, in one pass over the applications. */
export async function progressOf(
  campaigns: readonly MarkedCampaign[],
  apps: readonly Subject[],
  sources: MemberSources,
): Promise<Progress[]> {
  const counters = campaigns.map((marked) => ({ ...marked, ...createCounter() }));
  await visitMembers(counters, apps, sources);
  return counters.map(({ count }) => count());
}

/** Takes a member by values instead of an object, since a count takes every member of every campaign. */
type Visit = (judged: Judged, state: MemberState, joined: string | null, metAt: string | null) => void;

async function visitMembers(
  campaigns: readonly (MarkedCampaign & { readonly visit: Visit })[],
  apps: readonly Subject[],
  sources: MemberSources,
): Promise<void> {
  const { rules, problemsOf } = sources;
  const visits = campaigns.map((campaign) => createVisitIfMember(campaign, sources));
  for (const app of apps) {
    const pause = yieldToEventLoop();
    if (pause) await pause;
    const excluded = excludedOf(rules.scorecards, app.exemptions, app.waivers);
    const judged: Judged = { app, excluded, problems: app.env === null ? undefined : problemsOf?.(app) };
    for (const visitIfMember of visits) visitIfMember(judged);
  }
}

function createVisitIfMember(
  { campaign: { scope, goal, state, recorded }, marks, visit }: MarkedCampaign & { readonly visit: Visit },
  { rules, day }: MemberSources,
): (judged: Judged) => void {
  const fits = createFits(scope);
  const { stateOf } = createJudge(goal, rules);
  // What the next recording will remember is said already.
  const today = state === "running" ? day : null;
  const joinedNow = recorded === null ? null : today;
  return (judged) => {
    const { app } = judged;
    if (!fits(app)) return;
    const now = stateOf(judged);
    const mark = marks(app.target);
    const metAt = mark?.metAt ?? (now === "met" ? today : null);
    visit(judged, now === "left" && metAt !== null ? "lost" : now, mark ? mark.joined : joinedNow, metAt);
  };
}

function createCounter() {
  const counts = { members: 0, joined: 0, met: 0, left: 0, lost: 0, waived: 0, exempt: 0 };
  return {
    visit(_: unknown, state: MemberState, joined: string | null) {
      counts.members++;
      counts[state]++;
      if (joined !== null) counts.joined++;
    },
    count: (): Progress => ({ ...counts, left: counts.left + counts.lost }),
  };
}

/** Counts members. */
export function countMembers(all: Iterable<Pick<Member, "state" | "joined">>): Progress {
  const counter = createCounter();
  for (const { state, joined } of all) counter.visit(undefined, state, joined);
  return counter.count();
}
