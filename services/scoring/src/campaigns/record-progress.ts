import { dayBefore } from "../lists/time.ts";
import { unlimited } from "../model/grant.ts";
import { createRollUpReader } from "../rollups/roll-ups.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { isProgressDue, type RecordedMember, recordProgress } from "../store/campaigns.ts";
import { type Database, primaryOf } from "../store/database.ts";
import { type CampaignReader, createCampaignReader } from "./campaign-reader.ts";
import type { Member } from "./members.ts";

/** What recording takes. */
export interface RecordingDependencies {
  readonly database: Database;
  readonly rules: OrganisationRules;
  /** Ends the recording early. What is recorded of a campaign is recorded whole. */
  readonly signal: AbortSignal;
}

/**
 * Records the progress of each running campaign once a day, in whichever process. The first recording remembers who belongs
 * to the campaign since its start.
 *
 * @returns how many campaigns this process has recorded
 */
export async function recordCampaigns({ database, rules, signal }: RecordingDependencies): Promise<number> {
  if (!(await isProgressDue(database.background))) return 0;
  const campaigns = readerOfPrimary(database, rules);
  const rollUps = await campaigns.rollUps(unlimited, {});
  const day = dayBefore(rollUps.asOf, 0);
  let recorded = 0;
  for (const campaign of await campaigns.list(["running"])) {
    signal.throwIfAborted();
    if (campaign.recorded !== null && campaign.recorded >= day) continue;
    const members = (await campaigns.members(campaign, rollUps)).map(toRecord);
    if (await recordProgress(database.background, campaign.id, day, members)) recorded++;
  }
  return recorded;
}

/** Reads campaigns, though not from a replica, which may be behind: what is recorded or announced stays. */
export function readerOfPrimary(database: Database, rules: OrganisationRules): CampaignReader {
  const primary = primaryOf(database);
  return createCampaignReader(primary, createRollUpReader(primary, rules), rules);
}

function toRecord({ app: { area, team, app, env }, state }: Member): RecordedMember {
  return { area, team, app, env, state: state === "lost" ? "left" : state };
}
