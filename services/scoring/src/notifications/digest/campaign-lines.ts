import type { Knex } from "knex";
import { stateNow } from "../../store/campaigns.ts";
import { oneLine } from "../plain-text.ts";

/**
 * Reads how each running campaign stands in each of its areas where a member is left, by its last recorded day; what is due
 * first comes first.
 */
export async function readCampaignLines(knex: Knex): Promise<{ readonly area: string; readonly text: string }[]> {
  const { rows } = await knex.raw(`
    SELECT name, due::text, area, sum(met)::int AS met, sum(members - waived - exempt)::int AS members
    FROM campaigns JOIN campaign_days ON campaign_id = id AND day = recorded
    WHERE ${stateNow} = 'running'
    GROUP BY id, area HAVING sum(met) < sum(members - waived - exempt)
    ORDER BY due, name, id, area
  `);
  return rows.map(({ name, due, area, met, members }: CampaignRow) => ({
    area,
    text: `${oneLine(name)}, due ${due}: ${met} of ${members} of ${oneLine(area)} meet the goal`,
  }));
}

interface CampaignRow {
  readonly name: string;
  readonly due: string;
  readonly area: string;
  readonly met: number;
  readonly members: number;
}
