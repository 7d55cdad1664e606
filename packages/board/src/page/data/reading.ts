import type { Lists, Query } from "@maturity/client";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { addressOf, ask, askPage, Failed, type Failure, type Page, type Parameters } from "./ask.ts";

/** What the service said to a list. */
export interface Answer<Item> {
  readonly items: readonly Item[];
  /** How many items the list has; more than `items` if it was not read to its end. */
  readonly total: number;
  /** Are more items on their way? */
  readonly isGrowing: boolean;
}

/** A list that is read again and again. */
export interface Reading<Item> {
  /** Undefined until the first answer, then what is known so far. It stays the same object while nothing changes. */
  readonly answer: ReadonlySignal<Answer<Item> | undefined>;
  /** Why the latest attempt failed; the last answer stays. */
  readonly failure: ReadonlySignal<Failure | undefined>;
  /** When the answer was last known to hold, in milliseconds since 1970. */
  readonly holdsAt: ReadonlySignal<number | undefined>;
  /** Asks again, unless it is being asked. */
  refresh(): Promise<void>;
  /** Says how many items are wanted. It asks for those that are known to be missing. */
  reach(upTo: number): void;
}

/** Whether nothing is known of a list yet, not even why. */
export function isAwaited<Item>(reading: Reading<Item> | undefined): boolean {
  return reading !== undefined && !reading.answer.value && !reading.failure.value;
}

interface Cached<Item> {
  readonly etag: string | undefined;
  readonly page: Page<Item>;
}

/** How many items are read of a list unless somebody wants all. */
export const firstItems = 1_000;

function createReading<Item>(address: string, asking: typeof askPage<Item>): Reading<Item> {
  const answer = signal<Answer<Item>>();
  const failure = signal<Failure>();
  const holdsAt = signal<number>();
  let wanted = 0;
  let cached = new Map<string, Cached<Item>>();
  let underWay: Promise<void> | undefined;

  async function read(): Promise<void> {
    const pages = new Map<string, Cached<Item>>();
    const items: Item[] = [];
    let changed = false;
    let total = 0;
    for (let next: string | null = address; next !== null; ) {
      if (pages.has(next))
        throw new Failed({ status: undefined, message: "the pages of the list go round in a circle" });
      const former = cached.get(next);
      const found: Awaited<ReturnType<typeof askPage<Item>>> = await asking(next, { etag: former?.etag });
      changed ||= found !== undefined;
      const page: Cached<Item> | undefined = found ? { etag: found.etag, page: found.body } : former;
      if (!page) throw new Failed({ status: 304, message: "the service sent no list" });
      pages.set(next, page);
      if (next === address) total = page.page.total;
      items.push(...page.page.items);
      next = items.length < wanted ? page.page.next && withCursor(address, page.page.next) : null;
      // A list that is read for the first time is shown as it comes. Later on, what is known stays until all is read again.
      const isMore = items.length > (answer.value?.items.length ?? -1);
      const isOver = next === null;
      if (isMore || (isOver && (changed || answer.value?.isGrowing))) {
        answer.value = { items: items.slice(0, wanted), total: Math.max(total, items.length), isGrowing: !isOver };
        changed = false;
      }
    }
    cached = pages;
  }

  async function tryToRead(): Promise<void> {
    try {
      await read();
      failure.value = undefined;
      holdsAt.value = Date.now();
    } catch (error) {
      // What looks like a page and is none must not end the refreshing of the others.
      failure.value =
        error instanceof Failed ? error.failure : { status: undefined, message: "the answer cannot be shown" };
    }
  }

  function refresh(): Promise<void> {
    underWay ??= tryToRead().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  function isShort(): boolean {
    const { items = [], total = 0 } = answer.peek() ?? {};
    return items.length < Math.min(total, wanted);
  }

  function reach(upTo: number): void {
    wanted = upTo;
    const known = answer.peek();
    if (!known) return;
    // What is under way may end where fewer were wanted.
    if (isShort()) void Promise.resolve(underWay).then(() => (isShort() ? refresh() : undefined));
    if (known.items.length > upTo) answer.value = { ...known, items: known.items.slice(0, upTo) };
  }

  return { answer, failure, holdsAt, refresh, reach };
}

function withCursor(address: string, cursor: string): string {
  const next = new URL(address);
  next.searchParams.set("cursor", cursor);
  return next.href;
}

/** Those that were shown last, so that a step back shows at once what stood there. */
const readings = new Map<string, Reading<never>>();
const mostReadings = 40;

function readingOf<Item>(address: string, asking: typeof askPage<Item>): Reading<Item> {
  const found = readings.get(address) ?? (createReading(address, asking) as Reading<unknown> as Reading<never>);
  readings.delete(address);
  readings.set(address, found);
  for (const oldest of readings.keys()) {
    if (readings.size <= mostReadings) break;
    readings.delete(oldest);
  }
  return found as Reading<unknown> as Reading<Item>;
}

/** Those on the screen, each with how many parts of it show it: they are refreshed. */
const readers = signal<ReadonlyMap<Reading<never>, number>>(new Map());

/** Those on the screen: they are refreshed. */
export const shown: ReadonlySignal<readonly Reading<never>[]> = computed(() => [...readers.value.keys()]);

/** @returns ends it: what another part of the screen shows stays shown */
export function show(reading: Reading<never>): () => void {
  const add = (by: 1 | -1) => {
    const count = readers.peek().get(reading) ?? 0;
    const next = new Map(readers.peek());
    if (count + by > 0) next.set(reading, count + by);
    else next.delete(reading);
    readers.value = next;
  };
  add(1);
  return () => add(-1);
}

/**
 * What to list: the parameters that the client knows of the list. A number or a choice of words may be any text, since it
 * stands in the page's address; what is undefined is not narrowed.
 */
export type Asked<Path extends keyof Lists> = {
  readonly [Name in keyof Query<Path>]?: Text<Query<Path>[Name]> | undefined;
};

type Text<Value> = Value extends string
  ? string
  : Value extends number
    ? number | string
    : Value extends readonly string[]
      ? readonly string[]
      : Value;

/**
 * A list for a component, read when it appears and refreshed while it is there.
 *
 * @param query undefined while the component cannot say yet what it needs
 */
export function useReading<Path extends keyof Lists>(
  path: Path,
  query: Asked<Path> | undefined,
  options: ReadingOptions = {},
): Reading<Lists[Path]> | undefined {
  const { of = "", ...rest } = options;
  return useAddress(query && addressOf(path.replace("{id}", of), query as Parameters), rest);
}

interface ReadingOptions {
  readonly upTo?: number;
  readonly refreshed?: boolean;
  /** Whose list it is, where its path has an id. */
  readonly of?: string;
}

/** What the service has at a path that is no list, as a reading of one item. */
export function useOne<Item extends object>(path: string): Reading<Item> | undefined {
  return useAddress<Item>(addressOf(path), {}, askOne);
}

/** An answer that is no list, as a page of one item. */
async function askOne<Item>(address: string): ReturnType<typeof askPage<Item>> {
  const { body, etag } = (await ask<Item>(address)) ?? {};
  return body && { body: { as_of: "", items: [body], next: null, total: 1 }, etag };
}

function useAddress<Item>(
  address: string | undefined,
  { upTo = firstItems, refreshed = true }: ReadingOptions,
  asking: typeof askPage<Item> = askPage,
): Reading<Item> | undefined {
  const reading = useMemo(() => (address ? readingOf<Item>(address, asking) : undefined), [address]);
  useLayoutEffect(() => reading?.reach(upTo), [reading, upTo]);
  // Before the browser paints: what is asked for comes sooner by that time.
  useLayoutEffect(() => void reading?.refresh(), [reading]);
  // What failed is asked for again, though its answer would have been the last one.
  const isShown = refreshed || reading?.failure.value !== undefined;
  useLayoutEffect(
    () => (reading && isShown ? show(reading as Reading<unknown> as Reading<never>) : undefined),
    [reading, isShown],
  );
  return reading;
}
