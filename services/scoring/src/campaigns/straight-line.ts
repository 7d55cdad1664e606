import sql, { raw, type Sql } from "sql-template-tag";
import type { Bounded } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { today } from "../store/campaigns.ts";
import { conjunction, isInAny, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { query } from "../store/sql.ts";

/**
 * SQL of the recorded days of campaigns that a caller may read. Days are recorded by team, so bounds of an application allow
 * none of them.
 */
export function readableDays({ parts }: Bounded): Sql {
  const teams = parts.flatMap(({ bounds }) => (bounds.app === undefined ? [bounds] : []));
  const [isReadable = sql`false`] = isInAny(teams);
  return sql`SELECT * FROM campaign_days WHERE (${isReadable})`;
}

/**
 * Reads which share of the members would meet the goal today by a straight line from the first recorded day to all of them
 * on the last day, by the id of the campaign. There is none for a campaign without a recorded day.
 *
 * @param filter only of these areas and teams
 * @throws ServiceError `store-unavailable`
 */
export async function readLines(
  { lists }: Pick<Database, "lists">,
  grant: Bounded,
  { area, team }: Pick<TargetFilter, "area" | "team"> = {},
): Promise<ReadonlyMap<string, number>> {
  const names = within({ ...(area && { area }), ...(team && { team }) });
  const rows = await orStoreError(
    query(lists)`
      WITH first AS (
        SELECT DISTINCT ON (campaign_id) campaign_id, day, sum(met)::float8 / sum(members - waived - exempt) AS share
        FROM (${readableDays(grant)} AND ${conjunction(names)}) AS days
        GROUP BY campaign_id, day HAVING sum(members - waived - exempt) > 0
        ORDER BY campaign_id, day
      )
      SELECT id,
        share + (1 - share) * coalesce(least((${raw(today)} - day)::float8 / nullif(due - day, 0), 1), 1) AS line
      FROM campaigns JOIN first ON campaign_id = id WHERE ${raw(today)} <= due
    `,
  );
  return new Map(rows.map(({ id, line }: { readonly id: string; readonly line: number }) => [id, line]));
}
