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
import { isAboutProblems, readGoalProblems } from "./goal-problems.ts";
import { noMarks, readMarks } from "./marks.ts";
import {
  type CampaignOfMembers,
  countMembersAmong,
  findMembers,
  type Member,
  type MemberSources,
  type Progress,
} from "./members.ts";

/** A campaign with its progress within the bounds and the filter of a request. */
export interface CampaignProgress {
  readonly campaign: StoredCampaign;
  readonly progress: Progress;
}

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
  progress(campaign: StoredCampaign, rollUps: RollUps): Promise<Progress>;
  /** The progress that a campaign would have if it was made now. */
  preview(campaign: Pick<StoredCampaign, "goal" | "scope">, rollUps: RollUps): Promise<Progress>;
}

export function createCampaignReader(
  database: Database,
  rollUps: RollUpReader,
  rules: OrganisationRules,
): CampaignReader {
  const { lists, reads } = database;
  const snapshot = <Read>(read: Parameters<typeof readSnapshot<Read>>[2]) => readSnapshot(database, reads, read);
  const problemsOf = cacheAnswers(
    (goal: Parameters<typeof readGoalProblems>[1]) => snapshot((lines) => readGoalProblems(lines, goal)),
    (goal) => JSON.stringify(goal),
  );
  const known = new WeakMap<RollUps, Map<string, Promise<Progress>>>();

  async function sourcesOf(
    { id, goal, recorded }: CampaignOfMembers & Pick<StoredCampaign, "id">,
    { asOf }: RollUps,
  ): Promise<MemberSources> {
    return {
      ...{ rules, day: dayBefore(asOf, 0) },
      marks: recorded === null ? noMarks : await snapshot((lines) => readMarks(lines, id)),
      problems: isAboutProblems(goal) ? await problemsOf(goal) : undefined,
    };
  }

  async function count(campaign: Parameters<typeof sourcesOf>[0], reading: RollUps): Promise<Progress> {
    return countMembersAmong(campaign, reading.allApps, await sourcesOf(campaign, reading));
  }

  return {
    list: (states) => orStoreError(readCampaigns(lists, states)),
    find: (id) => orStoreError(readCampaign(lists, id)),
    rollUps: (grant, filter) => rollUps.read(narrow(grant, filter)),
    members: async (campaign, reading) => findMembers(campaign, reading.allApps, await sourcesOf(campaign, reading)),
    preview: ({ goal, scope }, reading) => count({ id: "", goal, scope, state: "draft", recorded: null }, reading),
    progress(campaign, reading) {
      const { id, scope, goal, state, recorded } = campaign;
      const progresses = known.get(reading) ?? new Map<string, Promise<Progress>>();
      known.set(reading, progresses);
      // Nothing is remembered of a campaign before its first recording: all of one goal and scope are alike until then.
      const key = JSON.stringify([scope, goal, ...(recorded === null ? [] : [id, state, recorded])]);
      const progress = progresses.get(key) ?? count(campaign, reading);
      progresses.set(key, progress);
      progress.catch(() => progresses.delete(key));
      return progress;
    },
  };
}
