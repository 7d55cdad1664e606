import type { ServerRoute } from "@hapi/hapi";
import type { Level } from "@maturity/core";
import { conditionsOf } from "@maturity/core/wire";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { targetFilter } from "../lists/query.ts";
import { pageOf, sortedBy } from "../lists/sorted.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { count, object } from "../openapi/operation.ts";
import { countLevels } from "../rollups/app-levels.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";

const schema = object({
  env: itemFields.env,
  rank: { ...count, description: "1 for the lowest level; 0 for the applications without one" },
  name: { type: ["string", "null"], description: "Null for the applications without a level" },
  conditions: {
    type: "array",
    items: { type: "string" },
    description: "Its conditions in words; those of the levels below it hold too",
  },
  count: { ...count, description: "How many applications have this level" },
  below: { ...count, description: "How many applications have a lower level, or none" },
});

const example = {
  ...{ env: "prod", rank: 2, name: "silver", conditions: ["score 70", "share fresh 75 %"], count: 12, below: 5 },
};

/** GET /levels */
export function levelsRoute(levels: readonly Level[], rollUps: RollUpReader): ServerRoute {
  return listRoute<TargetFilter, ReturnType<typeof standingsOf>[number]>({
    path: "/levels",
    operationId: "listLevels",
    summary: "The levels, the lowest first, with how many applications of each environment have them",
    parameters: targetFilter,
    item: { name: "LevelStanding", schema, example },
    async read(filter, grant, paging) {
      const { apps, asOf } = await rollUps.read(narrow(grant, filter));
      const byEnv = levels.length === 0 ? [] : [...Map.groupBy(apps, ({ env }) => env)];
      const standings = byEnv.flatMap(([env, own]) => standingsOf(levels, env, countLevels(own)));
      return { ...pageOf(await sortedBy(standings, ({ env, rank }) => [env, rank]), paging), asOf };
    },
  });
}

/** The levels in an environment; the first one is none. */
function standingsOf(
  levels: readonly Level[],
  env: string,
  counts: readonly { readonly rank: number; readonly count: number }[],
) {
  const sum = (isIt: (rank: number) => boolean) =>
    counts.reduce((total, { rank, count }) => (isIt(rank) ? total + count : total), 0);
  return [undefined, ...levels].map((level, rank) => ({
    ...{ env, rank, name: level?.name ?? null, conditions: level ? conditionsOf(level) : [] },
    ...{ count: sum((one) => one === rank), below: sum((one) => one < rank) },
  }));
}
