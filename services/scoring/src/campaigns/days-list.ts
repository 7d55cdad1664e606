import type { ServerRoute } from "@hapi/hapi";
import { listRoute } from "../lists/list.ts";
import type { Streams } from "../lists/streams.ts";
import { isInAny, readPage } from "../lists/table.ts";
import type { Bounded } from "../model/grant.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { idParameter } from "./campaign-id.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { findReadable } from "./one-campaign.ts";
import { progressFields } from "./schema.ts";

/** The progress of a day. */
interface Day {
  readonly day: string;
  readonly members: number;
  readonly met: number;
  readonly waived: number;
  readonly exempt: number;
}

const { members, met, waived, exempt } = progressFields as Readonly<Record<string, Json>>;

/** The bounds of whole teams and areas: what is recorded by team says nothing about one application. */
function wholeTeams({ parts }: Bounded): Bounded {
  return { parts: parts.filter(({ bounds }) => bounds.app === undefined) };
}

/** GET /campaigns/{id}/days */
export function daysRoute(campaigns: CampaignReader, database: Database, streams: Streams): ServerRoute {
  return listRoute<{ readonly id: string }, Day>(
    {
      path: "/campaigns/{id}/days",
      pathParameters: [idParameter],
      operationId: "listCampaignDays",
      summary:
        "The recorded progress of each day of a campaign. A day on which the service did not run is absent. A caller that is bound to applications sees none",
      parameters: {},
      item: {
        name: "CampaignDay",
        schema: object({
          day: { type: "string", format: "date", description: "In UTC; recorded early on this day" },
          ...{ members, met, waived, exempt },
        }),
        example: { day: "2026-02-01", members: 40, met: 22, waived: 2, exempt: 1 },
      },
      async read({ id }, grant, paging) {
        const { campaign } = await findReadable(campaigns, id, grant);
        const { parts } = wholeTeams(grant);
        const isFree = parts.some(({ bounds }) => bounds.area === undefined);
        const sums = ["members", "met", "waived", "exempt"].map((name) => `sum(${name})::int AS ${name}`);
        const [bound] = isFree ? [] : isInAny(parts.map(({ bounds }) => bounds));
        const where = isFree ? "true" : (bound?.[0] ?? "false");
        return readPage<Day>(
          database,
          {
            from: [
              `(SELECT day::text, ${sums.join(", ")} FROM campaign_days WHERE campaign_id = ?::uuid AND (${where}) GROUP BY day) AS days`,
              campaign.id,
              ...(bound?.slice(1) ?? []),
            ],
            where: [],
            order: [["day", "text"]],
            columns: "day, members, met, waived, exempt",
          },
          paging,
        );
      },
    },
    streams,
  );
}
