import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { cacheByList, pageOf, sortedBy } from "../lists/sorted.ts";
import { narrow } from "../model/grant.ts";
import { count, type Json, object } from "../openapi/operation.ts";
import { type ChangeTotal, type Grouping, groupings, totalsOf } from "./change-totals.ts";
import { type AppChange, type ChangesReader, causes } from "./changes.ts";
import { type ChangesQuery, changesParameters, points, positionsBy } from "./changes-list.ts";

const schema: Json = object({
  area: { type: ["string", "null"], description: "Null in the totals of the organisation" },
  team: { type: ["string", "null"], description: "Null but in those of a team" },
  env: itemFields.env,
  apps: { ...count, description: "How many applications had a score at `since`" },
  new: {
    ...count,
    type: ["integer", "null"],
    description: "How many have one now and had none; null if `since` is beyond the history",
  },
  fell: { ...count, description: "How many lost half a point or more" },
  rose: { ...count, description: "How many gained half a point or more" },
  change: {
    ...points,
    type: ["number", "null"],
    description:
      "The mean change: of the applications of a team, of the teams of an area, of the areas of the organisation; null if no application had a score",
  },
  causes: {
    ...object(Object.fromEntries(causes.map((cause) => [cause, points]))),
    type: ["object", "null"],
    description: "What each cause adds to it, as in `/changes`",
  },
  moved: {
    type: "array",
    items: object({
      cause: { enum: causes },
      apps: { ...count, description: "In how many applications" },
      lost: { type: "number", maximum: 0, description: "The points of all of them that fell by it" },
      gained: { type: "number", minimum: 0, description: "The points of all of them that rose by it" },
    }),
    description: "What each cause did, the one that moved most first; less than a twentieth of a point is nothing",
  },
  moved_by: {
    type: "array",
    items: object({ name: { type: "string" }, apps: count }),
    description: "Which packages and settings of the policy moved how many applications, as in `/changes`",
  },
});

const example: Json = {
  ...{ area: "shop", team: null, env: "prod", apps: 14, new: 1, fell: 4, rose: 2, change: -1.75 },
  causes: { report: -1.25, rules: -0.5, waiver: 0, policy: 0, move: 0, other: 0 },
  moved: [
    { cause: "report", apps: 6, lost: -21.5, gained: 4 },
    { cause: "rules", apps: 3, lost: -7, gained: 0 },
  ],
  moved_by: [{ name: "@maturity/security@1.1.0", apps: 3 }],
};

const columns: Columns<ChangeTotal> = {
  ...fields("area", "team", "env", "apps", "new", "fell", "rose", "change"),
  ...Object.fromEntries(causes.map((cause) => [cause, (item: ChangeTotal) => item.causes?.[cause]])),
  moved_by: ({ moved_by }) => moved_by.map(({ name, apps }) => `${name} (${apps})`).join("; "),
};

interface TotalsQuery extends ChangesQuery {
  readonly by: Grouping;
}

const positions = positionsBy(({ area, team, env }: ChangeTotal) => [area, team, env]);

/** GET /change-totals */
export function changeTotalsRoute(read: ChangesReader): ServerRoute {
  const sorted = cacheByList((apps: readonly AppChange[], isKnown: boolean, by: Grouping, sort: ChangesQuery["sort"]) =>
    sortedBy(totalsOf(apps, isKnown, by), positions[sort]),
  );
  return listRoute<TotalsQuery, ChangeTotal>({
    path: "/change-totals",
    operationId: "listChangeTotals",
    summary:
      "How the scores of all applications of an area, a team or the organisation have changed since a day, and why",
    parameters: {
      ...changesParameters,
      by: Joi.valid(...groupings)
        .default("area")
        .description("Of what the totals are"),
    },
    item: { name: "ChangeTotal", schema, example },
    columns: () => columns,
    async read({ since, sort, by, ...filter }, grant, paging) {
      const { asOf, apps, isKnown } = await read({ since, filter: narrow(grant, filter) });
      return { ...pageOf(await sorted(apps, isKnown, by, sort), paging), asOf };
    },
  });
}
