import { yieldToEventLoop } from "../http/slices.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import type { GoalProblems } from "./goal-problems.ts";
import { createJudge, type Judge, type Standing } from "./judge.ts";
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

/** What finding the members of a campaign takes. */
export interface MemberSources {
  readonly rules: OrganisationRules;
  readonly marks: Marks;
  readonly problems?: GoalProblems | undefined;
  /** Today, in UTC. */
  readonly day: string;
}

/** How many applications are looked at between two looks at the clock; each takes less than a microsecond. */
const stride = 256;

/** What of a campaign decides on its members. */
export type CampaignOfMembers = Pick<StoredCampaign, "scope" | "goal" | "state" | "recorded">;

type Subject = App | UnscoredApp;

/** Finds the members of a campaign among these applications, in their order, without blocking the event loop for long. */
export async function findMembers(
  campaign: CampaignOfMembers,
  apps: readonly Subject[],
  sources: MemberSources,
): Promise<Member[]> {
  const found: Member[] = [];
  const judge = createJudge(campaign.goal, sources.rules, sources.problems);
  await eachMember(campaign, apps, { ...sources, judge }, (app, state, joined, metAt) => {
    found.push({ app, state, joined, metAt, ...judge.standingOf(app) });
  });
  return found;
}

/** Counts the members of a campaign as `findMembers` finds them, without making a list of them. */
export async function countMembersAmong(
  campaign: CampaignOfMembers,
  apps: readonly Subject[],
  sources: MemberSources,
): Promise<Progress> {
  const counter = createCounter();
  const judge = createJudge(campaign.goal, sources.rules, sources.problems);
  await eachMember(campaign, apps, { ...sources, judge }, (_, state, joined) => counter.add(state, joined));
  return counter.count();
}

/** Visits each member with values instead of an object, since a count visits every member of every campaign. */
async function eachMember(
  { scope, state, recorded }: CampaignOfMembers,
  apps: readonly Subject[],
  { judge, marks, day }: Pick<MemberSources, "marks" | "day"> & { readonly judge: Judge },
  visit: (app: Subject, state: MemberState, joined: string | null, metAt: string | null) => void,
): Promise<void> {
  const fits = createFits(scope);
  // What the next recording will remember is said already.
  const today = state === "running" ? day : null;
  const joinedNow = recorded === null ? null : today;
  let seen = 0;
  for (const app of apps) {
    const pause = seen++ % stride === 0 ? yieldToEventLoop() : undefined;
    if (pause) await pause;
    if (!fits(app)) continue;
    const now = judge.stateOf(app);
    const mark = marks.get(app.target);
    const metAt = mark?.metAt ?? (now === "met" ? today : null);
    visit(app, now === "left" && metAt !== null ? "lost" : now, mark ? mark.joined : joinedNow, metAt);
  }
}

function createCounter() {
  const counts = { members: 0, joined: 0, met: 0, left: 0, lost: 0, waived: 0, exempt: 0 };
  return {
    add(state: MemberState, joined: string | null) {
      counts.members++;
      counts[state]++;
      if (joined !== null) counts.joined++;
    },
    count(): Progress {
      return { ...counts, left: counts.left + counts.lost };
    },
  };
}

/** Counts members. */
export function countMembers(all: Iterable<Pick<Member, "state" | "joined">>): Progress {
  const counter = createCounter();
  for (const { state, joined } of all) counter.add(state, joined);
  return counter.count();
}
