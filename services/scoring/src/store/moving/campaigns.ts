import type { Knex } from "knex";
import type { Subtree } from "../../model/app-name.ts";
import type { CampaignScope } from "../../model/campaign.ts";
import { inSubtree } from "../conditions.ts";
import { query } from "../sql.ts";

/** Renames a team or an area in the scopes of campaigns and in their recorded days. Days of both names are added up. */
export async function moveCampaigns(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  const campaigns: { id: string; scope: CampaignScope }[] = await query(trx)`
    SELECT id, scope FROM campaigns ORDER BY id FOR UPDATE
  `;
  for (const { id, scope } of campaigns) {
    const moved = JSON.stringify(movedScope(scope, from, to));
    if (moved === JSON.stringify(scope)) continue;
    await query(trx)`UPDATE campaigns SET scope = ${moved}::jsonb WHERE id = ${id}::uuid`;
  }
  await query(trx)`
    WITH moved AS (DELETE FROM campaign_days WHERE ${inSubtree(from)} RETURNING *)
    INSERT INTO campaign_days AS days (campaign_id, day, area, team, members, met, waived, exempt)
    SELECT campaign_id, day, ${to.area}::text, coalesce(${to.team}::text, team), members, met, waived, exempt FROM moved
    ON CONFLICT (campaign_id, day, area, team) DO UPDATE SET
      members = days.members + excluded.members, met = days.met + excluded.met,
      waived = days.waived + excluded.waived, exempt = days.exempt + excluded.exempt
  `;
}

function movedScope({ areas, teams, ...rest }: CampaignScope, from: Subtree, to: Subtree): CampaignScope {
  const isMoved = (one: { readonly area: string; readonly team?: string }) =>
    one.area === from.area && (from.team === undefined || one.team === from.team);
  const movedTeams = teams?.map((one) => (isMoved(one) ? { area: to.area, team: to.team ?? one.team } : one));
  return {
    ...(areas && { areas: [...new Set(areas.map((area) => (isMoved({ area }) ? to.area : area)))] }),
    ...(movedTeams && { teams: [...new Map(movedTeams.map((one) => [`${one.area}\n${one.team}`, one])).values()] }),
    ...rest,
  };
}

/**
 * Joins what campaigns remember of the merged targets (the temporary table `merging`): the earlier day of joining, where
 * none is the start of the campaign, and the earlier day on which the goal was met. Their campaigns get other versions.
 */
export async function mergeMembers(trx: Knex): Promise<void> {
  await query(trx)`
    WITH merged AS (DELETE FROM campaign_members USING merging WHERE target_id = merging.id RETURNING campaign_id, staying_id, joined, met_on),
    versions AS (UPDATE campaigns SET recorded = recorded WHERE id IN (SELECT campaign_id FROM merged))
    INSERT INTO campaign_members AS members (campaign_id, target_id, joined, met_on)
    SELECT campaign_id, staying_id, joined, met_on FROM merged
    ON CONFLICT (campaign_id, target_id) DO UPDATE SET
      joined = CASE WHEN members.joined IS NOT NULL AND excluded.joined IS NOT NULL THEN least(members.joined, excluded.joined) END,
      met_on = least(members.met_on, excluded.met_on)
  `;
}
