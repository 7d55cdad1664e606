import type { Target } from "@maturity/core";
import Joi from "joi";
import type { Position } from "../lists/cursor.ts";
import { maxLimit, type Page, type Paging } from "../lists/list.ts";
import { flag, inDigits, targetFilter } from "../lists/query.ts";
import { cacheByList, pageOf, type Sorted, sortedBy } from "../lists/sorted.ts";
import { dayBefore, usualDays } from "../lists/time.ts";
import { dayParameter } from "../model/day.ts";
import { type Bounded, narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object } from "../openapi/operation.ts";
import { idBy } from "../rollups/groups.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import type { PastRollUps, PastScore, RecordedDays } from "../rollups/recorded-days.ts";
import type { RollUpReader, RollUps } from "../rollups/roll-ups.ts";
import { type Trend, type TrendReader, trendDays } from "../rollups/trends.ts";
import type { RollUpTarget } from "../store/roll-up-days.ts";
import { inSlices } from "../store/slices.ts";

/** The orders of a list of roll-ups. */
export const sorts = ["score", "-score", "reported", "change", "name"] as const;

export type Sort = (typeof sorts)[number];

const keys: Readonly<Record<Sort, (item: Changed<Comparable>) => number | null>> = {
  score: ({ score }) => score,
  "-score": ({ score }) => (score === null ? null : -score),
  reported: ({ reported }) => reported,
  change: ({ change = null }) => change,
  name: () => null,
};

/** The query of a list of roll-ups. */
export interface RollUpQuery extends TargetFilter {
  readonly sort: Sort;
  readonly below?: number;
  readonly since?: string;
  readonly trend: boolean;
  /** Of teams. */
  readonly metrics?: boolean;
  readonly detail: boolean;
}

/** Few items with trends or metrics a page, because each needs as many recorded days, or has some 15 metrics. */
export const maxMany = 100;

/** Few items with details a page: an application with some 15 scores, or a group with a roll-up for each of them. */
export const maxDetailed = 50;

/** The orders of a list of roll-ups, for its description. */
export const sortDescription =
  "`score`: the worst first; `-score`: the best first; `reported`: the least first; `change`: the greatest loss first; `name`: by names";

/** The parameters of a `RollUpQuery`. */
export const rollUpParameters: Joi.PartialSchemaMap = {
  ...targetFilter,
  sort: Joi.valid(...sorts)
    .default("score")
    .description(sortDescription),
  below: inDigits(Joi.number().min(0).max(100), "decimal").description("Only those with a score below this one"),
  trend: flag(`Adds the recorded scores of the last ${trendDays} days; at most ${maxMany} items a page`),
  since: dayParameter.description(
    `The day, in UTC, from whose first moment on \`change\` counts, such as \`2026-01-31\`; ${usualDays} days ago without it`,
  ),
};

/** Largest number of items of a page. */
export function limitWith({ trend, metrics, detail }: Pick<RollUpQuery, "trend" | "metrics" | "detail">): number {
  return detail ? maxDetailed : trend || metrics ? maxMany : maxLimit;
}

/** A group of which there is a list: an application, with or without a score, a team or an area. */
type Group = RollUpTarget | UnscoredApp;

/** An item with the change of its score since the former day; absent if that day is not recorded. */
export type Changed<Item> = Item & { readonly change?: number };

/** An item with its trend, if the query wants it. */
export type WithTrend<Shown> = Shown & { readonly trend?: Trend };

/** The JSON Schema of a changed item with these fields. */
export function changed(fields: Json, optional: Json = {}): Json {
  const change = {
    ...{ type: "number", minimum: -100, maximum: 100 },
    description:
      "The score less that of the day `since`, for a team or an area of the members it has now; absent if that is not recorded",
  };
  const trend = {
    ...{ type: "array", items: { type: ["number", "null"], minimum: 0, maximum: 100 } },
    ...{ minItems: trendDays, maxItems: trendDays },
    description: `With \`trend=true\`: the recorded scores of the last ${trendDays} days, the oldest first; null for a day without one`,
  };
  return object(fields, { change, trend, ...optional });
}

/** The differences between the lists of areas, teams and applications. */
export interface GroupList<Item, Shown> {
  readonly itemsOf: (now: RollUps) => Promise<readonly Item[]> | readonly Item[];
  readonly group: Exclude<keyof PastRollUps, "isRecorded">;
  /** The fields that hold the names of an item. */
  readonly names: readonly (keyof Target & keyof Item)[];
  readonly show: (item: Changed<Item>) => Shown;
}

/** The sources of the lists of roll-ups. */
export interface RollUpSources {
  readonly rollUps: RollUpReader;
  readonly days: RecordedDays;
  readonly trends: TrendReader;
}

/** How a list differs for one query. */
interface PageContext<Item> {
  /** Fewer items than those of the list, if no others can fit. */
  readonly itemsOf?: ((now: RollUps) => readonly Item[]) | undefined;
  /** The positions of an order that the list alone has. An order is cached as long as it has the same function. */
  readonly positionOf?: ((item: Item) => Position) | undefined;
  /** The condition on the items of the list. */
  readonly holds?: ((item: Item) => boolean) | undefined;
  /** Adds to an item that is shown. */
  readonly complete?: ((item: Item, now: RollUps) => Item | Promise<Item>) | undefined;
  /** Reads items again, with further facts to show. */
  readonly reread?: ((items: readonly Item[]) => Promise<Reread<Item>>) | undefined;
}

/** Items that were read again. */
export interface Reread<Item> {
  readonly asOf: Date;
  readonly items: readonly Item[];
  /** How many of the given items were read. */
  readonly read: number;
}

/**
 * Makes a function that reads a page of a list. Items that are read again are filtered and sorted again, so that the
 * page has the order of what it shows. It ends where the page of the cached snapshot does, so that the next page misses
 * none.
 */
export function readGroup<Item extends Comparable & Group, Shown>(
  { rollUps, days, trends }: RollUpSources,
  { itemsOf, group, names, show }: GroupList<Item, Shown>,
): (
  query: RollUpQuery,
  grant: Bounded,
  paging: Paging,
  context?: PageContext<Item>,
) => Promise<Page<WithTrend<Shown>>> {
  type PositionOf = (item: Changed<Item>) => Position;
  const arrange = async (items: readonly Item[], before: readonly PastScore[], positionOf: PositionOf) =>
    sortedBy(await withChanges(items, before, names), positionOf);
  const arranged = cacheByList(arrange);
  // The names come last, so that positions differ.
  const positionBy = (sort: Sort): PositionOf => {
    return (item) => [keys[sort](item), ...names.map((name) => String(item[name] ?? ""))];
  };
  const positions = new Map(sorts.map((sort) => [sort, positionBy(sort)]));
  return async (query, grant, paging, { holds = () => true, complete, reread, ...context } = {}) => {
    const { sort, below, since, trend: hasTrend } = query;
    const positionOf: PositionOf = context.positionOf ?? (positions.get(sort) as PositionOf);
    const narrowed = narrow(grant, query);
    const now = await rollUps.read(narrowed);
    const isBelow = (score: number | null) => below === undefined || (score !== null && score < below);
    const pick = (all: Sorted<Changed<Item>>) => all.filter(({ item }) => isBelow(item.score) && holds(item));
    const all = await (context.itemsOf ?? itemsOf)(now);
    const readBefore = async () => (await days.read(since ?? dayBefore(now.asOf, usualDays), narrowed))[group]();
    const before = all.some(({ score }) => score !== null) ? await readBefore() : [];
    const { items: picked, ...page } = pageOf(pick(await arranged(all, before, positionOf)), paging);
    const found = await reread?.(picked);
    const cut = found && found.read < picked.length ? picked[found.read - 1] : undefined;
    const end = cut ? positionOf(cut) : page.end;
    const read = found ? pick(await arrange(found.items, before, positionOf)).map(({ item }) => item) : picked;
    const items: Changed<Item>[] = [];
    for (const item of read) items.push((await complete?.(item, now)) ?? item);
    const targets = items.map((item): RollUpTarget => ({ ...item, env: item.env ?? "" }));
    const trend = hasTrend ? await trends.read(targets, narrowed, dayBefore(now.asOf, 0)) : [];
    const shown = items.map((item, index) => ({ ...show(item), ...(hasTrend && { trend: trend[index] ?? [] }) }));
    return { ...page, end, asOf: found?.asOf ?? now.asOf, items: shown };
  };
}

/** An item that can be compared with a former day. */
type Comparable = Pick<App | UnscoredApp, "score" | "reported">;

async function withChanges<Item extends Comparable>(
  now: readonly Item[],
  before: readonly PastScore[],
  names: readonly (keyof Target)[],
): Promise<readonly Changed<Item>[]> {
  if (before.length === 0) return now;
  const idOf = idBy(names) as (item: PastScore | Item) => string;
  const scores = new Map<string, number>();
  await inSlices(before, (item) => void scores.set(idOf(item), item.score));
  const changed: Changed<Item>[] = [];
  await inSlices(now, (item) => {
    const score = scores.get(idOf(item));
    changed.push(score === undefined || item.score === null ? item : { ...item, change: item.score - score });
  });
  return changed;
}
