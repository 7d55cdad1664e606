import type { ServerRoute } from "@hapi/hapi";
import { raw } from "sql-template-tag";
import { itemFields } from "../lists/items.ts";
import { flag, targetFilter } from "../lists/query.ts";
import { byNames, tableRoute } from "../lists/table.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { object, textOrNull, timeOrNull } from "../openapi/operation.ts";
import { registeredApps } from "../store/apps.ts";
import { within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";

interface RegistryQuery extends Omit<TargetFilter, "env"> {
  readonly retired: boolean;
  readonly held: boolean;
}

const { area, team, app } = itemFields;

/** Of a retired environment nothing is registered. */
const sources = {
  used: `(SELECT *, NULL AS env FROM ${registeredApps}) AS registry`,
  held: "(SELECT *, NULL AS env FROM applications WHERE held_since IS NOT NULL AND retired_at IS NULL) AS registry",
  retired: `(
    SELECT area, team, app, NULL AS env, owner, repo, tier, labels, registered_at, held_since, retired_at, retired_because
    FROM applications WHERE retired_at IS NOT NULL
    UNION ALL
    SELECT area, team, app, env, NULL, NULL, NULL, NULL, NULL, NULL, targets.retired_at, targets.retired_because
    FROM targets JOIN applications ON applications.id = application_id WHERE targets.retired_at IS NOT NULL
  ) AS registry`,
} as const;

/** GET /registry */
export function registryListRoute(database: Database): ServerRoute {
  const { env: _, ...filters } = targetFilter;
  return tableRoute<RegistryQuery>(database, {
    path: "/registry",
    operationId: "listRegistry",
    summary: "What is registered of applications, or of those that are retired or held",
    parameters: {
      ...filters,
      retired: flag("The retired applications and environments instead, whether or not they were registered"),
      held: flag("The held applications instead: they reported and nobody registered them, so they count nowhere"),
    },
    item: {
      name: "RegistryApp",
      schema: object({
        ...{ area, team, app, owner: textOrNull, repo: textOrNull, tier: textOrNull },
        labels: {
          type: ["object", "null"],
          additionalProperties: { type: "string" },
          description: "Null if it was never registered",
        },
        registered_at: timeOrNull,
        held_since: { ...timeOrNull, description: "Since when it is held, because nobody registered it" },
        retired_at: timeOrNull,
        reason: { ...textOrNull, description: "Why it was retired" },
        env: { ...textOrNull, description: "The environment, if that alone is retired" },
      }),
      example: {
        ...{ area: "shop", team: "checkout", app: "cart", env: null, owner: "checkout", tier: "1" },
        ...{ repo: "https://git.example.com/shop/cart", labels: { lifecycle: "production" } },
        ...{ registered_at: "2026-02-11T08:15:00.000Z", held_since: null, retired_at: null, reason: null },
      },
    },
    check: ({ retired, held }) => (retired && held ? [{ path: "held", message: "must not stand beside retired" }] : []),
    select({ retired, held, ...filter }, grant) {
      return {
        from: raw(held ? sources.held : retired ? sources.retired : sources.used),
        where: within(narrow(grant, filter)),
        order: byNames("area", "team", "app", "coalesce(env, '')"),
        columns:
          "area, team, app, env, owner, repo, tier, labels, registered_at, held_since, retired_at, retired_because AS reason",
      };
    },
  });
}
