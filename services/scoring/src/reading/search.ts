import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import sql from "sql-template-tag";
import { nestedColumnsOf } from "../lists/csv.ts";
import type { Position } from "../lists/cursor.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { cacheByList, pageOf, sortedBy } from "../lists/sorted.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object, textOrNull } from "../openapi/operation.ts";
import type { App } from "../rollups/organisation.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";
import { conjunction, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";
import { orStoreError } from "../store/failures.ts";
import { inSlices } from "../store/slices.ts";
import { query } from "../store/sql.ts";

/** The names of an area, a team or an application; null where it has no such name. */
interface Names {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** A result, with its current name. */
interface Found extends Names {
  /** The former name that matched; null if the current name did. */
  readonly formerly: Names | null;
}

/** A searchable name with its normalised texts. */
interface Entry {
  readonly found: Found;
  /** Its last name, such as that of the application. */
  readonly name: string;
  /** All its names. */
  readonly path: string;
}

const { area, team, app } = itemFields;
const names = { area, team: { ...team, ...textOrNull }, app: { ...app, ...textOrNull } };

const schema: Json = {
  ...object({
    ...names,
    formerly: {
      ...{ ...object(names), ...{ type: ["object", "null"] } },
      description: "The former name by which it was found; null if it was found by what it is called now",
    },
  }),
  description: "An area, a team or an application; `team` and `app` are null where it has none",
};

/** GET /search */
export function searchRoute(database: Database, rollUps: RollUpReader): ServerRoute {
  return listRoute<{ readonly q: string }, Found>({
    path: "/search",
    operationId: "search",
    summary: "Areas, teams and applications by parts of their present and former names, the best first",
    parameters: {
      q: Joi.string()
        .pattern(/^(?=.*\S)[^\0\p{Cs}]{1,200}$/su, { name: "a text of 1 to 200 characters with at least one word" })
        .required()
        .description(
          "Words that stand in the name, or in those of the team and the area above it; at least one in its own",
        ),
    },
    item: {
      name: "Found",
      schema,
      example: { area: "shop", team: "checkout", app: "cart", formerly: null },
    },
    columns: () => nestedColumnsOf(schema),
    async read({ q }, grant, paging) {
      const filter = narrow(grant, {});
      const [reading, former] = await Promise.all([rollUps.read(filter), readFormer(database, filter)]);
      const words = normalised(q).trim().split(/\s+/);
      const matches = new Map<string, { readonly found: Found; readonly rank: number }>();
      const present = await entriesOf(reading.allApps);
      const moved = former.filter(({ found }) => present.has(idOf(found))); // others are retired or held
      await inSlices([...present.values(), ...moved], (entry) => {
        const { found } = entry;
        const fit = rankOf(entry, words);
        if (fit === undefined) return;
        const rank = 2 * fit + (found.formerly ? 1 : 0); // after the present name that fits as well
        if (rank < (matches.get(idOf(found))?.rank ?? Infinity)) matches.set(idOf(found), { found, rank });
      });
      const { items, ...page } = pageOf(await sortedBy([...matches.values()], positionOf), paging);
      return { ...page, asOf: reading.asOf, items: items.map(({ found }) => found) };
    },
  });
}

/** Normalises a text for comparison: lower case, and NFKC, which makes ASCII of full width. Accents stay. */
function normalised(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

type Named = Pick<App, "area" | "team" | "app">;

/** The searchable names of a snapshot, by their ids; computed once for each. */
const entriesOf = cacheByList(createEntries);

async function createEntries(apps: readonly Named[]): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  await inSlices(apps, ({ area, team, app }) => {
    for (const names of [
      { area, team: null, app: null },
      { area, team, app: null },
      { area, team, app },
    ]) {
      const id = idOf(names);
      if (!entries.has(id)) entries.set(id, entryOf({ ...names, formerly: null }, names));
    }
  });
  return entries;
}

function idOf({ area, team, app }: Names): string {
  return JSON.stringify([area, team, app]);
}

/** @param names the names to match */
function entryOf(found: Found, { area, team, app }: Names): Entry {
  const path = [area, team, app].filter((name) => name !== null).join(" ");
  return { found, name: normalised(app ?? team ?? area), path: normalised(path) };
}

/** The searchable former names whose current names are within the bounds. */
async function readFormer({ reads }: Database, filter: TargetFilter): Promise<readonly Entry[]> {
  const rows = await orStoreError(
    query(reads)`
      SELECT to_area AS area, nullif(to_team, '') AS team, nullif(to_app, '') AS app,
        json_build_object('area', area, 'team', nullif(team, ''), 'app', nullif(app, '')) AS formerly
      FROM former_names
      WHERE ${conjunction(within(filter, (field, value) => sql`to_${field} = ${value}`))}
    `,
  );
  return rows.map((found: Found & { readonly formerly: Names }) => entryOf(found, found.formerly));
}

/** How well the words match, from 0, the best; undefined if they do not. */
function rankOf({ name, path }: Entry, words: readonly string[]): number | undefined {
  const inName = words.filter((word) => name.includes(word));
  if (inName.length === 0 || !words.every((word) => path.includes(word))) return undefined;
  if (name === words.join(" ")) return 0;
  if (inName.some((word) => name === word)) return 1;
  if (inName.some((word) => name.startsWith(word))) return 2;
  return inName.some((word) => beginsWordIn(name, word)) ? 3 : 4;
}

function beginsWordIn(name: string, word: string): boolean {
  for (let index = name.indexOf(word); index !== -1; index = name.indexOf(word, index + 1)) {
    if (index === 0 || !/[\p{L}\p{N}]/u.test(name[index - 1] ?? "")) return true;
  }
  return false;
}

function positionOf({ found: { area, team, app }, rank }: { readonly found: Found; readonly rank: number }): Position {
  return [rank, app !== null ? 2 : team !== null ? 1 : 0, app ?? team ?? area, team ?? "", area];
}
