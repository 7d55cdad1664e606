import type { Fact, FactStore } from "../model/fact.ts";
import { unlimited } from "../model/grant.ts";
import { type Notice, readUnannounced, type StoredCampaign, takeNotice } from "../store/campaigns.ts";
import { countMembers, type Member } from "./members.ts";
import { type RecordingDependencies, readerOfPrimary } from "./record-progress.ts";

/** What announcing campaigns takes. */
export interface AnnouncingDependencies extends RecordingDependencies {
  readonly facts: FactStore;
}

/**
 * Stores the facts of campaigns that started, that end in 14 or 3 days, or that ended, each once, whichever instance looks.
 *
 * @returns how many campaigns this process has announced
 */
export async function announceCampaigns({ database, rules, facts, signal }: AnnouncingDependencies): Promise<number> {
  const { background } = database;
  const unannounced = await readUnannounced(background);
  if (unannounced.length === 0) return 0;
  const campaigns = readerOfPrimary(database, rules);
  const rollUps = await campaigns.rollUps(unlimited, {});
  let announced = 0;
  for (const campaign of unannounced) {
    signal.throwIfAborted();
    const members = await campaigns.members(campaign, rollUps);
    const isNew = await background.transaction(async (trx) => {
      const notice = await takeNotice(trx, campaign.id);
      if (notice === undefined) return false;
      await facts.store(trx, factsOf(campaign, notice, members));
      return true;
    });
    if (isNew) announced++;
  }
  return announced;
}

const types = {
  ...{ started: "campaign.started", "due.14": "campaign.due", "due.3": "campaign.due", ended: "campaign.ended" },
} as const satisfies Readonly<Record<Notice, Fact["type"]>>;

/**
 * A fact of the campaign for each application that is left, so that the routes of its owner and its label lead there, and one
 * for nobody's routes. They have one subject, so an address gets one message of them all.
 */
function factsOf(campaign: StoredCampaign, notice: Notice, all: readonly Member[]): Fact[] {
  const { id, name, why, owner, due } = campaign;
  const { members, met, left, waived, exempt } = countMembers(all);
  const data = { ...{ id, name, why, owner, due, met, left }, members: members - waived - exempt };
  const fact = { type: types[notice], subject: `campaign@${id}`, severity: null, data };
  const ofLeft = all
    .filter(({ state }) => state === "left" || state === "lost")
    .map(({ app: { area, team, app, env } }) => ({ ...fact, area, team, app, env }));
  return [...ofLeft, { ...fact, area: null, team: null, app: null, env: null }];
}
