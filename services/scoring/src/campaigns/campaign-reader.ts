import { dayBefore } from "../lists/time.ts";
import type { CampaignState } from "../model/campaign.ts";
import { type Bounded, narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import type { RollUpReader, RollUps } from "../rollups/roll-ups.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { cacheAnswers } from "../store/cache.ts";
import { readCampaign, readCampaigns, type StoredCampaign } from "../store/campaigns.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { readSnapshot } from "../store/lines.ts";
import { type ProblemGoal, readGoalProblems } from "./goal-problems.ts";
import { createMarksReader } from "./marks.ts";
import {
  findMembers,
  type MarkedCampaign,
  type Member,
  type MemberSources,
  type Progress,
  progressOf,
} from "./members.ts";

/** Reads campaigns and their members. Members are at most 15 seconds old, campaigns are of now. */
export interface CampaignReader {
  /** The campaigns in these states, those that are due first at the front. @throws ServiceError `store-unavailable` */
  list(states: readonly CampaignState[]): Promise<readonly StoredCampaign[]>;
  /** A campaign; undefined if there is none with this id. @throws ServiceError `store-unavailable` */
  find(id: string): Promise<StoredCampaign | undefined>;
  /**
   * The roll-ups of which members are found. @throws ServiceError `forbidden` for a filter outside the bounds;
   * `store-unavailable`
   */
  rollUps(grant: Bounded, filter: TargetFilter): Promise<RollUps>;
  members(campaign: StoredCampaign, rollUps: RollUps): Promise<readonly Member[]>;
  /** @param together campaigns, this one among them, that are counted in one pass, whichever of them is asked for first */
  progress(campaign: StoredCampaign, rollUps: RollUps, together?: readonly StoredCampaign[]): Promise<Progress>;
  /** The progress that a campaign would have if it was made now. */
  preview(campaign: Pick<StoredCampaign, "goal" | "scope">, rollUps: RollUps): Promise<Progress>;
}

type Candidate = Pick<StoredCampaign, "id" | "version" | "scope" | "goal" | "state" | "recorded">;

export function createCampaignReader(
  database: Database,
  rollUps: RollUpReader,
  rules: OrganisationRules,
): CampaignReader {
  const { lists, reads } = database;
  const { readMarks, placeOf } = createMarksReader(database);
  const readProblems = cacheAnswers(
    (goals: readonly ProblemGoal[]) => readSnapshot(database, reads, (lines) => readGoalProblems(lines, goals)),
    JSON.stringify,
  );
  const known = new WeakMap<RollUps, Map<string, Promise<Progress>>>();

  async function withMarks(campaign: Candidate): Promise<MarkedCampaign> {
    return { campaign, marks: await readMarks(campaign) };
  }

  async function sourcesOf(campaigns: readonly Candidate[], { asOf }: RollUps): Promise<MemberSources> {
    const goals = campaigns.flatMap(({ goal }) => ("no_open_problems" in goal ? [goal] : []));
    const problemsOf = goals.length === 0 ? undefined : await readProblems(goals);
    return { rules, day: dayBefore(asOf, 0), problemsOf, placeOf };
  }

  async function count(campaigns: readonly Candidate[], reading: RollUps): Promise<readonly Progress[]> {
    if (campaigns.length === 0) return [];
    const marked: MarkedCampaign[] = [];
    for (const campaign of campaigns) marked.push(await withMarks(campaign));
    return progressOf(marked, reading.allApps, await sourcesOf(campaigns, reading));
  }

  return {
    list: (states) => orStoreError(readCampaigns(lists, states)),
    find: (id) => orStoreError(readCampaign(lists, id)),
    rollUps: (grant, filter) => rollUps.read(narrow(grant, filter)),
    members: async (campaign, reading) =>
      findMembers(await withMarks(campaign), reading.allApps, await sourcesOf([campaign], reading)),
    async preview({ goal, scope }, reading) {
      const draft = { ...{ id: "", version: "", recorded: null }, goal, scope, state: "draft" } as const;
      return (await count([draft], reading))[0] as Progress; // one for each
    },
    progress(campaign, reading, together = [campaign]) {
      const progresses = known.get(reading) ?? new Map<string, Promise<Progress>>();
      known.set(reading, progresses);
      const uncounted = together.filter((one) => !progresses.has(keyOf(one)));
      const counted = count(uncounted, reading);
      for (const [index, one] of uncounted.entries()) {
        const progress = counted.then((all) => all[index] as Progress); // one for each
        progresses.set(keyOf(one), progress);
        progress.catch(() => progresses.delete(keyOf(one)));
      }
      return progresses.get(keyOf(campaign)) as Promise<Progress>;
    },
  };
}

/** All that decides on the progress of a campaign in a reading. */
function keyOf({ id, version, state }: StoredCampaign): string {
  return `${id} ${version} ${state}`;
}
