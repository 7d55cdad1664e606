import { yieldToEventLoop } from "../http/slices.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import type { GoalProblems } from "./goal-problems.ts";
import { createJudge, type Judged } from "./judge.ts";
import type { Marks } from "./marks.ts";
import { createFits } from "./scope.ts";

/** The states of a member. `lost`: it met the goal once and does not now. */
export const memberStates = ["met", "left", "lost", "waived", "exempt"] as const;

export type MemberState = (typeof memberStates)[number];

/** An application in an environment that the scope of a campaign fits. */
export interface Member extends Omit<Judged, "state"> {
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

/**
 * Finds the members of a campaign among these applications, in their order, without blocking the event loop for long.
 *
 * @param visit gets each member
 */
export async function eachMember(
  { scope, goal, state, recorded }: Pick<StoredCampaign, "scope" | "goal" | "state" | "recorded">,
  apps: readonly (App | UnscoredApp)[],
  { rules, marks, problems, day }: MemberSources,
  visit: (member: Member) => void,
): Promise<void> {
  const fits = createFits(scope);
  const judge = createJudge(goal, rules, problems);
  // What the next recording will remember is said already.
  const today = state === "running" ? day : null;
  const joinedNow = recorded === null ? null : today;
  let seen = 0;
  for (const app of apps) {
    const pause = seen++ % stride === 0 ? yieldToEventLoop() : undefined;
    if (pause) await pause;
    if (!fits(app)) continue;
    const judged = judge(app);
    const mark = marks.get(app.id);
    const metAt = mark?.metAt ?? (judged.state === "met" ? today : null);
    visit({
      value: judged.value,
      rank: judged.rank,
      app,
      joined: mark ? mark.joined : joinedNow,
      metAt,
      state: judged.state === "left" && metAt !== null ? "lost" : judged.state,
    });
  }
}

/** Counts members that are added one after the other. */
export interface MemberCounter {
  add(member: Pick<Member, "state" | "joined">): void;
  count(): Progress;
}

export function createMemberCounter(): MemberCounter {
  const counts = { members: 0, joined: 0, met: 0, left: 0, lost: 0, waived: 0, exempt: 0 };
  return {
    add({ state, joined }) {
      counts.members++;
      counts[state]++;
      if (joined !== null) counts.joined++;
    },
    count() {
      const { members, met, left, lost, waived, exempt, joined } = counts;
      return { members, met, left: left + lost, waived, exempt, joined, lost };
    },
  };
}

/** Counts members. */
export function countMembers(all: Iterable<Pick<Member, "state" | "joined">>): Progress {
  const counter = createMemberCounter();
  for (const member of all) counter.add(member);
  return counter.count();
}
