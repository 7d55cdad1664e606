import type { ServerRoute } from "@hapi/hapi";
import sql, { raw } from "sql-template-tag";
import { idParameter } from "../http/path-id.ts";
import { tableRoute } from "../lists/table.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import type { CampaignReader } from "./campaign-reader.ts";
import { findReadable } from "./one-campaign.ts";
import { progressFields } from "./schema.ts";
import { readableDays } from "./straight-line.ts";

const { members, met, waived, exempt } = progressFields as Readonly<Record<string, Json>>;

/** GET /campaigns/{id}/days */
export function daysRoute(campaigns: CampaignReader, database: Database): ServerRoute {
  return tableRoute<{ readonly id: string }, Json>(database, {
    path: "/campaigns/{id}/days",
    pathParameters: [idParameter("campaign")],
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
    async select({ id }, grant) {
      const { campaign } = await findReadable(campaigns, id, grant);
      const sums = ["members", "met", "waived", "exempt"].map((name) => `sum(${name})::int AS ${name}`);
      return {
        from: sql`(
          SELECT day::text, ${raw(sums.join(", "))} FROM (${readableDays(grant)}) AS readable
          WHERE campaign_id = ${campaign.id}::uuid GROUP BY day
        ) AS days`,
        where: [],
        order: [["day", "text"]],
        columns: "day, members, met, waived, exempt",
      };
    },
  });
}
