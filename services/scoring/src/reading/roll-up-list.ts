import type { Target } from "@maturity/core";
import Joi from "joi";
import { slice } from "../http/slices.ts";
import { maxLimit, type Page, type Paging } from "../lists/list.ts";
import { inDigits, targetFilter } from "../lists/query.ts";
import { cacheSorted, pageOf, type Sorted, sortedBy } from "../lists/sorted.ts";
import { dayBefore, dayParameter, usualDays } from "../lists/time.ts";
import { type Bounded, narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object } from "../openapi/operation.ts";
import { idBy } from "../rollups/groups.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { PastRollUps, PastScore, RecordedDays } from "../rollups/recorded-days.ts";
import type { Area, RollUpReader, RollUps, Team } from "../rollups/roll-ups.ts";
import { type Trend, type TrendReader, trendDays } from "../rollups/trends.ts";
import type { RollUpTarget } from "../store/roll-up-days.ts";
import { positionBy, type Sort, sorts } from "./order.ts";

/** The query of a list of roll-ups. */
export interface RollUpQuery extends TargetFilter {
  readonly sort: Sort;
  readonly below?: number;
  readonly since?: string;
  readonly trend: boolean;
}

/** A page with trends is short, because each item needs as many recorded days. */
const maxTrends = 100;

/** The parameters of a `RollUpQuery`. */
export const rollUpParameters: Joi.PartialSchemaMap = {
  ...targetFilter,
  sort: Joi.valid(...sorts)
    .default("score")
    .description(
      "`score`: the worst first; `-score`: the best first; `reported`: the least first; `change`: the greatest loss first; `name`: by names",
    ),
  below: inDigits(Joi.number().min(0).max(100), "decimal").description("Only those with a score below this one"),
  trend: Joi.boolean()
    .default(false)
    .description(`Adds the recorded scores of the last ${trendDays} days; at most ${maxTrends} items a page`),
  since: dayParameter.description(
    `The day, in UTC, from whose first moment on \`change\` counts, such as \`2026-01-31\`; ${usualDays} days ago without it`,
  ),
};

/** Largest number of items of a page. */
export function limitWith({ trend }: RollUpQuery): number {
  return trend ? maxTrends : maxLimit;
}

/** A level of roll-ups: `apps`, `teams` or `areas`. */
type LevelName = keyof PastRollUps;

/** The items of a level. Of applications, also those that have no score. */
interface Items {
  readonly apps: App | UnscoredApp;
  readonly teams: Team;
  readonly areas: Area;
}

type ItemOf<Name extends LevelName> = Items[Name];

async function itemsOf<Name extends LevelName>(now: RollUps, level: Name): Promise<readonly ItemOf<Name>[]> {
  const items: readonly ItemOf<LevelName>[] = level === "apps" ? now.allApps : await now[level as "teams" | "areas"]();
  return items as readonly ItemOf<Name>[];
}

/** An item with its score less that of the former day. `change` is absent if that day is not recorded. */
export type Changed<Item> = Item & { readonly change?: number };

/** An item with its trend, where that was asked for. */
export type WithTrend<Shown> = Shown & { readonly trend?: Trend };

/** The JSON Schema of a changed item with these fields. */
export function changed(fields: Json, optional: Json = {}): Json {
  const change = {
    ...{ type: "number", minimum: -100, maximum: 100 },
    description: "The score less that of the day `since`; absent if that is not recorded",
  };
  const trend = {
    ...{ type: "array", items: { type: ["number", "null"], minimum: 0, maximum: 100 } },
    ...{ minItems: trendDays, maxItems: trendDays },
    description: `With \`trend=true\`: the recorded scores of the last ${trendDays} days, the oldest first; null for a day without one`,
  };
  return object(fields, { change, trend, ...optional });
}

/** How the lists of areas, teams and applications differ. */
export interface Level<Name extends LevelName, Shown> {
  readonly level: Name;
  /** The fields that hold the names of an item. */
  readonly names: readonly (keyof Target & keyof ItemOf<Name>)[];
  readonly show: (item: Changed<ItemOf<Name>>) => Shown;
}

/** From what the lists of roll-ups are read. */
export interface RollUpSources {
  readonly rollUps: RollUpReader;
  readonly days: RecordedDays;
  readonly trends: TrendReader;
}

/** What a question for a page has beside its query. */
interface Beside<Item> {
  /** The list has only the items for which it returns true. */
  readonly holds?: ((item: Item) => boolean) | undefined;
  /** Reads items anew, and what else is shown of them. */
  readonly anew?: ((items: readonly Item[]) => Promise<Anew<Item>>) | undefined;
}

/** Items of one later reading. */
export interface Anew<Item> {
  readonly asOf: Date;
  readonly items: readonly Item[];
  /** How many of those that were asked for were read. */
  readonly read: number;
}

/**
 * How a list of this level reads a page. Items that are read anew are picked and sorted once more, so a page is in the
 * order of what it shows. It then ends where the page of the kept reading does, so the next one misses nothing.
 */
export function readLevel<Name extends LevelName, Shown>(
  { rollUps, days, trends }: RollUpSources,
  { level, names, show }: Level<Name, Shown>,
): (
  query: RollUpQuery,
  grant: Bounded,
  paging: Paging,
  beside?: Beside<ItemOf<Name>>,
) => Promise<Page<WithTrend<Shown>>> {
  const arrange = async (items: readonly ItemOf<Name>[], before: readonly PastScore[], sort: Sort) =>
    sortedBy(await withChanges(items, before, names), positionBy(sort, names));
  const arrangeCached = cacheSorted(arrange);
  return async (query, grant, paging, { holds = () => true, anew } = {}) => {
    const { sort, below, since, trend: isTrendAsked, ...filter } = query;
    const narrowed = narrow(grant, filter);
    const now = await rollUps.read(narrowed);
    const past = await days.read(since ?? dayBefore(now.asOf, usualDays), narrowed);
    const before = await past[level]();
    const isBelow = (score: number | null) => below === undefined || (score !== null && score < below);
    const pick = (all: Sorted<Changed<ItemOf<Name>>>) => all.filter(({ item }) => isBelow(item.score) && holds(item));
    const { items: picked, ...page } = pageOf(
      pick(await arrangeCached(await itemsOf(now, level), before, sort)),
      paging,
    );
    const found = await anew?.(picked);
    const cut = found && found.read < picked.length ? picked[found.read - 1] : undefined;
    const end = cut ? positionBy<ItemOf<Name>>(sort, names)(cut) : page.end;
    const items = found ? pick(await arrange(found.items, before, sort)).map(({ item }) => item) : picked;
    const targets = (items as readonly ItemOf<LevelName>[]).map(
      (item): RollUpTarget => ({ ...item, env: item.env ?? "" }),
    );
    const trend = isTrendAsked ? await trends.read(targets, narrowed, dayBefore(now.asOf, 0)) : [];
    const shown = items.map((item, index) => ({ ...show(item), ...(isTrendAsked && { trend: trend[index] ?? [] }) }));
    return { ...page, end, asOf: found?.asOf ?? now.asOf, items: shown };
  };
}

/** An item that can be compared with a former day. */
interface Comparable {
  readonly score: number | null;
  readonly reported: number;
}

async function withChanges<Item extends Comparable>(
  now: readonly Item[],
  before: readonly PastScore[],
  names: readonly (keyof Target)[],
): Promise<readonly Changed<Item>[]> {
  if (before.length === 0) return now;
  const idOf = idBy(names) as (item: PastScore | Item) => string;
  const scores = new Map<string, number>();
  for (const item of before) {
    await slice();
    scores.set(idOf(item), item.score);
  }
  const changed: Changed<Item>[] = [];
  for (const item of now) {
    await slice();
    const score = scores.get(idOf(item));
    changed.push(score === undefined || item.score === null ? item : { ...item, change: item.score - score });
  }
  return changed;
}
