import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { createSlices } from "../http/slices.ts";
import { fields } from "../lists/csv.ts";
import type { Position } from "../lists/cursor.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { pageOf, sortedBy } from "../lists/sorted.ts";
import type { Streams } from "../lists/streams.ts";
import { narrow } from "../model/grant.ts";
import { object } from "../openapi/operation.ts";
import type { App } from "../rollups/organisation.ts";
import type { RollUpReader } from "../rollups/roll-ups.ts";

/** An area, a team or an application that was found; null where it has no such name. */
interface Found {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** What can be found, with its names as they are compared. */
interface Entry {
  readonly found: Found;
  /** Its own name. */
  readonly name: string;
  /** All its names. */
  readonly path: string;
}

const { area, team, app } = itemFields;
const orNull = { type: ["string", "null"] };

/** GET /search */
export function searchRoute(rollUps: RollUpReader, streams: Streams): ServerRoute {
  return listRoute<{ readonly q: string }, Found>(
    {
      path: "/search",
      operationId: "search",
      summary: "Areas, teams and applications by parts of their names, the best first",
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
        schema: {
          ...object({ area, team: { ...team, ...orNull }, app: { ...app, ...orNull } }),
          description: "An area, a team or an application; `team` and `app` are null where it has none",
        },
        example: { area: "shop", team: "checkout", app: "cart" },
      },
      columns: () => fields("area", "team", "app"),
      isPosition: ([rank, level, ...names]) =>
        Number.isInteger(rank) &&
        Number.isInteger(level) &&
        names.length === 3 &&
        names.every((name) => name === null || typeof name === "string"),
      async read({ q }, grant, paging) {
        const reading = await rollUps.read(narrow(grant, {}));
        const words = comparable(q).trim().split(/\s+/);
        const matches: { readonly found: Found; readonly rank: number }[] = [];
        const slice = createSlices();
        const [reported, unreported] = [await reading.apps(), await reading.unscored()];
        for (const entry of unique(await entriesOf(reported), await entriesOf(unreported))) {
          await slice();
          const rank = rankOf(entry, words);
          if (rank !== undefined) matches.push({ found: entry.found, rank });
        }
        const { items, ...page } = pageOf(await sortedBy(matches, positionOf), paging);
        return { ...page, asOf: reading.asOf, items: items.map(({ found }) => found) };
      },
    },
    streams,
  );
}

/** A text as it is compared: without upper case, and with one form of each letter. */
function comparable(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

type Named = Pick<App, "area" | "team" | "app">;

type Entries = ReadonlyMap<string, Entry>;

const known = new WeakMap<readonly Named[], Promise<Entries>>();

/** The entries of both, each once. */
function* unique(some: Entries, others: Entries): Generator<Entry> {
  yield* some.values();
  for (const [id, entry] of others) if (!some.has(id)) yield entry;
}

/** What can be found in a reading; made once for each. */
function entriesOf(apps: readonly Named[]): Promise<Entries> {
  const entries = known.get(apps) ?? makeEntries(apps);
  known.set(apps, entries);
  return entries;
}

async function makeEntries(apps: readonly Named[]): Promise<Entries> {
  const entries = new Map<string, Entry>();
  const slice = createSlices();
  for (const { area, team, app } of apps) {
    await slice();
    for (const names of [[area], [area, team], [area, team, app]]) {
      const id = JSON.stringify(names);
      if (entries.has(id)) continue;
      const found = { area, team: names[1] ?? null, app: names[2] ?? null };
      entries.set(id, { found, name: comparable(names.at(-1) ?? ""), path: comparable(names.join(" ")) });
    }
  }
  return entries;
}

/** How well the words fit, from 0, the best; undefined if they do not. */
function rankOf({ name, path }: Entry, words: readonly string[]): number | undefined {
  const own = words.filter((word) => name.includes(word));
  if (own.length === 0 || !words.every((word) => path.includes(word))) return undefined;
  if (name === words.join(" ")) return 0;
  if (own.some((word) => name === word)) return 1;
  if (own.some((word) => name.startsWith(word))) return 2;
  return own.some((word) => beginsWordIn(name, word)) ? 3 : 4;
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
