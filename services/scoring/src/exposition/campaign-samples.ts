import type { TargetFilter } from "../model/target-filter.ts";
import { stateNow } from "../store/campaigns.ts";
import { labelsSql } from "../store/labels.ts";
import { whereTarget } from "../store/lines.ts";
import { firstMoment } from "../store/utc.ts";

/** The values of the series of a campaign, as SQL. */
const values: Readonly<Record<"members" | "met" | "line" | "due", string>> = {
  members: "last.members",
  met: "last.met",
  // From the share on the first recorded day to all of them on the day `due`.
  line: "round(first.share + (1 - first.share) * coalesce((recorded - first.day)::numeric / nullif(due - first.day, 0), 1), 6)",
  due: `extract(epoch FROM ${firstMoment("due + 1")})::bigint`,
};

/**
 * Makes a function of SQL of a sample for each running campaign with a recorded day, of its last one. Days are recorded by
 * team, so there is none for a filter by application or environment, nor for a caller that is bound to applications.
 */
export function campaignSample(value: keyof typeof values): (rules: unknown, filter: TargetFilter) => string {
  return (_, { app, env, ...names }) => `
    WITH days AS (
      SELECT campaign_id, day, sum(members - waived - exempt) AS members, sum(met) AS met
      FROM (
        SELECT campaign_days.* FROM campaign_days JOIN campaigns ON id = campaign_id WHERE ${stateNow} = 'running'
      ) AS campaign_days ${(app ?? env) ? "WHERE false" : whereTarget(names)}
      GROUP BY campaign_id, day
    ),
    first AS (
      SELECT DISTINCT ON (campaign_id) campaign_id, day, met::numeric / nullif(members, 0) AS share
      FROM days WHERE members > 0 ORDER BY campaign_id, day
    )
    SELECT ${labelsSql({ campaign: "name", id: "id::text" })} || ' ' || ${values[value]}
    FROM campaigns
      JOIN days AS last ON last.campaign_id = id AND last.day = recorded
      JOIN first ON first.campaign_id = id
    WHERE ${stateNow} = 'running'
  `;
}
