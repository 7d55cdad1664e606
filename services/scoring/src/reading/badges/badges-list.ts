import type { ServerRoute } from "@hapi/hapi";
import { listRoute } from "../../lists/list.ts";
import { targetFilter } from "../../lists/query.ts";
import { pageOf, sortedBy } from "../../lists/sorted.ts";
import { narrow } from "../../model/grant.ts";
import type { TargetFilter } from "../../model/target-filter.ts";
import { matching } from "../../rollups/by-filter.ts";
import { readBadges } from "../../store/badges.ts";
import type { Database } from "../../store/database.ts";
import { withStore } from "../../store/failures.ts";
import type { BadgeAddresses } from "./address.ts";
import { badgeExample, badgeSchema, type ShownBadge, showBadge } from "./schema.ts";

/** GET /badges */
export function badgesListRoute(database: Database, addresses: BadgeAddresses): ServerRoute {
  return listRoute<TargetFilter, ShownBadge>({
    path: "/badges",
    operationId: "listBadges",
    summary: "Badges of applications that are not revoked, with their addresses",
    parameters: { ...targetFilter },
    item: { name: "Badge", schema: badgeSchema, example: badgeExample },
    async read(filter, grant, paging) {
      const asOf = new Date();
      const found = matching(await withStore(() => readBadges(database.lists)), narrow(grant, filter));
      const sorted = await sortedBy(found, ({ area, team, app, env, shows, scorecard, metric, id }) => [
        ...[area, team, app, env, shows, scorecard, metric, id],
      ]);
      const { items, ...page } = pageOf(sorted, paging);
      return { asOf, ...page, items: await Promise.all(items.map((badge) => showBadge(badge, addresses))) };
    },
  });
}
