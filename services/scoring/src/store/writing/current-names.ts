import type { Knex } from "knex";
import { LRUCache } from "lru-cache";
import { type AppName, appKey } from "../../model/app-name.ts";
import { type Alias, appRetired, type CurrentName, findCurrentNames, isFormerName } from "../names.ts";

/** Stores what is reported under the names that its applications have now. */
export interface CurrentNames {
  /**
   * Calls `store` with the items, renamed where their applications have moved. If a move comes in between, it is called
   * again.
   *
   * @param store must store all items or none. `since` is when the caller arrived, by the clock of `performance.now()`.
   * @param pathOf the path of an item in the body
   * @returns the items as they were stored, and what `store` returned
   * @throws ServiceError `app-retired`, naming the items. Errors of `store` are thrown on.
   */
  store<Item extends AppName, Stored>(
    items: readonly Item[],
    store: (items: readonly Item[], since: number) => Promise<Stored>,
    pathOf?: (place: number) => string,
  ): Promise<{ readonly items: readonly Item[]; readonly stored: Stored }>;
}

/** How many former names are remembered. */
const maxRemembered = 10_000;

/** How often a use of an alias is noted, in milliseconds: a pipeline may report each second. */
const noteMs = 60_000;

/** How often names may change between two tries. */
const maxTries = 5;

/**
 * Makes the guide to current names for all writers of a process.
 *
 * The database refuses a row under a former name. Only then the name is looked up, so a report under a current name costs
 * nothing. What was found is remembered, and needs no check: the name that an alias leads to is refused as well as soon as
 * it is a former one itself, and a name that was given back leaves the other one as its alias.
 */
export function createCurrentNames(knex: Knex): CurrentNames {
  const remembered = new LRUCache<string, CurrentName>({ max: maxRemembered });
  const noted = new LRUCache<string, number>({ max: maxRemembered });

  function recall<Item extends AppName>(item: Item): Item {
    const found = remembered.size > 0 ? remembered.get(appKey(item)) : undefined;
    return found ? { ...item, ...found.name } : item;
  }

  async function lookUp<Item extends AppName>(items: readonly Item[], pathOf: (place: number) => string) {
    const apps = new Map(items.map((item) => [appKey(item), item]));
    const found = await findCurrentNames(knex, [...apps.values()]);
    const byKey = new Map([...apps.keys()].map((key, place) => [key, found[place] as CurrentName]));
    for (const [key, one] of byKey) {
      if (one.by.length > 0) remembered.set(key, one);
      else remembered.delete(key);
    }
    const retired = items.flatMap((item, place) => {
      const one = byKey.get(appKey(item));
      return one && one.retired !== null ? [{ name: one.name, path: pathOf(place) }] : [];
    });
    if (retired.length > 0) throw appRetired(retired.slice(0, 100));
    return items.map((item) => ({ ...item, ...byKey.get(appKey(item))?.name }));
  }

  /** Nobody waits for it, and nothing depends on it: an alias whose use is not noted now is noted by a later report. */
  function noteUses(items: readonly AppName[]): void {
    if (remembered.size === 0) return;
    const now = performance.now();
    const used = new Map<string, Alias>();
    for (const item of items) {
      for (const alias of remembered.get(appKey(item))?.by ?? []) {
        const key = appKey(alias);
        if (now - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < noteMs) continue;
        noted.set(key, now);
        used.set(key, alias);
      }
    }
    if (used.size === 0) return;
    const names = JSON.stringify([...used.values()].map(({ area, team, app }) => ({ area, team, app })));
    knex.raw(noteUse, [names]).catch(() => {
      for (const key of used.keys()) noted.delete(key);
    });
  }

  return {
    async store(items, store, pathOf = () => "app") {
      const since = performance.now();
      let current = items.map(recall);
      for (let tries = 1; ; tries++) {
        try {
          const stored = await store(current, since);
          noteUses(items);
          return { items: current, stored };
        } catch (error) {
          if (!isFormerName(error) || tries === maxTries) throw error;
          current = await lookUp(items, pathOf);
        }
      }
    },
  };
}

const noteUse = `
  UPDATE app_aliases SET used_at = now()
  FROM json_to_recordset(?::json) AS used (area text, team text, app text)
  WHERE (app_aliases.area, app_aliases.team, app_aliases.app) = (used.area, used.team, used.app)
    AND (used_at IS NULL OR used_at < now() - interval '1 minute')
`;
