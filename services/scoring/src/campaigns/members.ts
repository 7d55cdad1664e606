import { excludedOf } from "../rollups/exemptions.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import type { ProblemsOf } from "./goal-problems.ts";
import {
  batch,
  createJudge,
  type Findings,
  type Judge,
  type Judged,
  type MemberState,
  memberStates,
  type Standing,
  stateIndex,
} from "./judge.ts";
import type { Marks, PlaceOf } from "./marks.ts";
import { createFits } from "./scope.ts";

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
  /** Of the marks of all these campaigns. */
  readonly placeOf: PlaceOf;
  /** Today, in UTC. */
  readonly day: string;
}

/** A campaign, and what is remembered of its members. */
export interface MarkedCampaign {
  readonly campaign: Pick<StoredCampaign, "scope" | "goal" | "state" | "recorded">;
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
  const { shownOf } = createJudge(marked.campaign.goal, sources.rules);
  const visit: Visit = (state, joined, metAt, app, rank) => {
    found.push({ app, state: memberStates[state] as MemberState, joined, metAt, value: shownOf(app, rank), rank });
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
type Visit = (state: number, joined: string | null, metAt: string | null, app: Subject, rank: number) => void;

/** Judges each application once for all campaigns whose goals are about the same. */
async function visitMembers(
  campaigns: readonly (MarkedCampaign & { readonly visit: Visit })[],
  apps: readonly Subject[],
  { rules, problemsOf, placeOf, day }: MemberSources,
): Promise<void> {
  const judges = new Map<string, Judge>();
  const visits = campaigns.map((campaign) => {
    const own = createJudge(campaign.campaign.goal, rules);
    const judge = judges.get(own.about) ?? own;
    judges.set(own.about, judge);
    return createVisit(campaign, judge.findings, own.needed, day);
  });
  for (let from = 0; from < apps.length; from += batch) {
    await yieldToEventLoop();
    const judged = apps.slice(from, from + batch).map((app) => ({
      app,
      excluded: excludedOf(rules.scorecards, app.exemptions, app.waivers),
      problems: problemsOf?.(app),
      place: placeOf(app.target),
    }));
    for (const { find } of judges.values()) find(judged);
    for (const visit of visits) visit(judged);
  }
}

function createVisit(
  { campaign: { scope, state, recorded }, marks, visit }: MarkedCampaign & { readonly visit: Visit },
  { exclusions, ranks }: Findings,
  needed: number,
  day: string,
): (judged: readonly Judged[]) => void {
  const fits = createFits(scope);
  const { met, left, lost } = stateIndex;
  // What the next recording will remember is said already.
  const today = state === "running" ? day : null;
  const joinedNow = recorded === null ? null : today;
  return (judged) => {
    for (let at = 0; at < judged.length; at++) {
      const { app, place } = judged[at] as Judged;
      if (!fits(app)) continue;
      const rank = ranks[at] as number;
      const now = exclusions[at] || (rank >= needed ? met : left);
      const mark = marks(place);
      const metAt = mark?.metAt ?? (now === met ? today : null);
      // What has reported nothing has no mark, and so no day.
      const joined = mark ? mark.joined : app.env === null ? null : joinedNow;
      visit(now === left && metAt !== null ? lost : now, joined, metAt, app, rank);
    }
  };
}

function createCounter() {
  const counts = memberStates.map(() => 0);
  let joiners = 0;
  return {
    visit(state: number, joined: string | null) {
      counts[state] = (counts[state] as number) + 1;
      if (joined !== null) joiners++;
    },
    count(): Progress {
      const [met, stillLeft, lost, waived, exempt] = counts as [number, number, number, number, number];
      const left = stillLeft + lost;
      return { members: met + left + waived + exempt, met, left, waived, exempt, joined: joiners, lost };
    },
  };
}

/** Counts members. */
export function countMembers(all: Iterable<Pick<Member, "state" | "joined">>): Progress {
  const counter = createCounter();
  for (const { state, joined } of all) counter.visit(memberStates.indexOf(state), joined);
  return counter.count();
}
