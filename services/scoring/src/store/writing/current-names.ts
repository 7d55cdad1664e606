import { maxFaults } from "@maturity/core";
import type { Knex } from "knex";
import { type AppName, appKey } from "../../model/app-name.ts";
import type { ServiceError } from "../../model/errors.ts";
import { type KnownName, type KnownNames, noNames, readNames } from "../known-names.ts";
import { appRetired, findCurrentNames, isFormerName } from "../names.ts";
import { createAliasUses } from "./alias-uses.ts";

/** Stores what is reported under the names that its applications have now. */
export interface CurrentNames {
  /**
   * Calls `store` with the items, renamed where their applications have moved. As often as a move comes in between, it is
   * called again.
   *
   * @param store must store all items or none, and must refuse a former name by the error of the database. Once
   * the caller waits no longer, it must refuse by another one.
   * @param pathOf the path of an item in the body
   * @param refusalOf the refusal of items under the names that they have now; undefined if they may be stored
   * @returns the items as they were stored, and what `store` returned
   * @throws ServiceError `app-retired`, naming the items, or what `refusalOf` returned. Errors of `store` are thrown on.
   */
  store<Item extends AppName, Stored>(
    items: readonly Item[],
    store: (items: readonly Item[]) => Promise<Stored>,
    pathOf?: (place: number) => string,
    refusalOf?: (names: readonly AppName[]) => ServiceError | undefined,
  ): Promise<{ readonly items: readonly Item[]; readonly stored: Stored }>;
}

/**
 * Makes the guide to current names for all writers of a process.
 *
 * It knows all names that are not in use, as they were when they were last read. What it knows may be old, and need not
 * be checked: the database refuses a row under a former name, and a name that was the right one once is a former one as
 * soon as it is no more. Only then the names are read again, once for all who were refused at the same time. So a report
 * costs no look-up, under a former name neither. Only a refusal is checked, of a retired application or by the caller,
 * since nothing is stored that the database could refuse.
 */
export function createCurrentNames(knex: Knex): CurrentNames {
  let known = noNames;
  let reading: Promise<void> | undefined;
  const noteUses = createAliasUses(knex);

  /** Reads the names again, unless somebody has done so since. If they were read too early, the next refusal shows it. */
  async function renew(used: KnownNames): Promise<void> {
    if (known !== used) return;
    reading ??= readNames(knex)
      .then((names) => {
        known = names;
      })
      .finally(() => {
        reading = undefined;
      });
    await reading;
  }

  async function requireInUse(items: readonly AppName[], pathOf: (place: number) => string): Promise<void> {
    const apps = new Map(items.map((item) => [appKey(item), item]));
    const found = await findCurrentNames(knex, [...apps.values()]);
    const byKey = new Map([...apps.keys()].map((key, place) => [key, found[place]]));
    const retired = items.flatMap((item, place) => {
      const one = byKey.get(appKey(item));
      return one && one.retired !== null ? [{ name: item, path: pathOf(place) }] : [];
    });
    if (retired.length > 0) throw appRetired(retired.slice(0, maxFaults));
  }

  async function requireAllowed(
    items: readonly AppName[],
    refusalOf: (names: readonly AppName[]) => ServiceError | undefined,
  ): Promise<void> {
    const found = await findCurrentNames(knex, items);
    const refusal = refusalOf(found.map(({ name }) => name));
    if (refusal) throw refusal;
  }

  return {
    async store(items, store, pathOf = () => "app", refusalOf = () => undefined) {
      for (;;) {
        const used = known;
        const found = items.map(used.find);
        if (found.some((one) => one?.isRetired)) {
          await requireInUse(items, pathOf);
          await renew(used);
          continue;
        }
        const current = items.map((item, place) => renamedAs(item, found[place]));
        if (refusalOf(current)) {
          await requireAllowed(items, refusalOf);
          await renew(used);
          continue;
        }
        try {
          const stored = await store(current);
          noteUses(found.flatMap((one) => one?.by ?? []));
          return { items: current, stored };
        } catch (error) {
          if (!isFormerName(error)) throw error;
          await renew(used);
        }
      }
    },
  };
}

function renamedAs<Item extends AppName>(item: Item, found: KnownName | undefined): Item {
  return found ? { ...item, ...found.name } : item;
}
