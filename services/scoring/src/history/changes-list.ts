import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { type Columns, fields } from "../lists/csv.ts";
import type { Position } from "../lists/cursor.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { targetFilter } from "../lists/query.ts";
import { cacheByList, pageOf, sortedBy } from "../lists/sorted.ts";
import { usualDays } from "../lists/time.ts";
import { dayParameter } from "../model/day.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object } from "../openapi/operation.ts";
import { type AppChange, type ChangesReader, causes } from "./changes.ts";

const sorts = ["loss", "gain", "name"] as const;

export interface ChangesQuery extends TargetFilter {
  readonly since?: string;
  readonly sort: (typeof sorts)[number];
}

const { area, team, app, env, score, thin } = itemFields;
export const points: Json = { type: "number", minimum: -100, maximum: 100 };

const schema: Json = object({
  ...{ area, team, app, env },
  score_since: {
    ...score,
    type: ["number", "null"],
    description: "At `since`; null if there was none, or the history of that day is not kept",
  },
  ...{ score, thin },
  change: { ...points, type: ["number", "null"], description: "The difference" },
  causes: {
    ...object(Object.fromEntries(causes.map((cause) => [cause, points]))),
    type: ["object", "null"],
    description:
      "What each cause adds to the difference: `report`, other results; `rules`, other scorers or weights; `waiver`, other waivers; `policy`, metrics that the policy exempts now or exempted then; `move`, values and metrics of another application that was merged into it; `other`, what none of these explains. They add up to it",
  },
  moved_by: {
    type: "array",
    items: { type: "string" },
    description:
      "What made the parts `rules` and `policy`: packages with their versions, and settings of the policy with their values then and now",
  },
});

const example: Json = {
  ...{
    area: "shop",
    team: "checkout",
    app: "cart",
    env: "prod",
    score_since: 71.25,
    score: 63.2,
    thin: false,
    change: -8.05,
  },
  causes: { report: -5.05, rules: -3, waiver: 0, policy: 0, move: 0, other: 0 },
  moved_by: ["@maturity/security@1.1.0"],
};

const columns: Columns<AppChange> = {
  ...fields("area", "team", "app", "env", "score_since", "score", "thin", "change"),
  ...Object.fromEntries(causes.map((cause) => [cause, (item: AppChange) => item.causes?.[cause]])),
  moved_by: ({ moved_by }) => moved_by.join("; "),
};

/** Makes the position of an item in the order of each sort. @param names gives the names of an item, which break ties */
export function positionsBy<Item extends { readonly change: number | null }>(
  names: (item: Item) => Position,
): Readonly<Record<ChangesQuery["sort"], (item: Item) => Position>> {
  return {
    loss: (item) => [item.change, ...names(item)],
    gain: (item) => [item.change === null ? null : -item.change, ...names(item)],
    name: (item) => [null, ...names(item)],
  };
}

const positions = positionsBy(({ area, team, app, env }: AppChange) => [area, team, app, env]);

/** The parameters of changes. */
export const changesParameters: Joi.PartialSchemaMap = {
  ...targetFilter,
  since: dayParameter.description(
    `The day, in UTC, with whose first moment is compared, such as \`2026-01-31\`; without it ${usualDays} days ago, or the oldest day of the history if that is later`,
  ),
  sort: Joi.valid(...sorts)
    .default("loss")
    .description("`loss`: the greatest loss first; `gain`: the greatest gain first; `name`: by names"),
};

/** GET /changes */
export function changesRoute(read: ChangesReader): ServerRoute {
  const sorted = cacheByList((apps: readonly AppChange[], sort: ChangesQuery["sort"]) =>
    sortedBy(apps, positions[sort]),
  );
  return listRoute<ChangesQuery, AppChange>({
    path: "/changes",
    operationId: "listChanges",
    summary: "How the scores of applications have changed since a day, and why",
    parameters: changesParameters,
    item: { name: "AppChange", schema, example },
    columns: () => columns,
    async read({ since, sort, ...filter }, grant, paging) {
      const { asOf, apps } = await read({ since, filter: narrow(grant, filter) });
      return { ...pageOf(await sorted(apps, sort), paging), asOf };
    },
  });
}
