import { LRUCache } from "lru-cache";
import { maxCampaigns, type StoredCampaign } from "../store/campaigns.ts";
import type { Database } from "../store/database.ts";
import { type Lines, quoted, readSnapshot } from "../store/lines.ts";
import { readRows } from "../store/text-rows.ts";

/** What is remembered of a member of a campaign. */
export interface Mark {
  /** The day since which it belongs to the campaign; null if it did when the campaign started. */
  readonly joined: string | null;
  /** The first day on which it met the goal; null if it never did. */
  readonly metAt: string | null;
}

/** Finds the mark of a member of a campaign, by its place. */
export type Marks = (place: number) => Mark | undefined;

/** The place of the marks of an application in all campaigns, by its `App.target`. */
export type PlaceOf = (target: number) => number;

/**
 * Makes a function that reads the marks of the members of a campaign, once for each of its versions: whatever writes marks
 * writes the row of their campaign too. It holds 2 bytes for each mark.
 */
export function createMarksReader(database: Database): {
  readMarks(campaign: Pick<StoredCampaign, "id" | "version" | "recorded">): Promise<Marks>;
  readonly placeOf: PlaceOf;
} {
  const known = new LRUCache<string, { readonly version: string; readonly marks: Promise<Marks> }>({
    max: maxCampaigns.all,
  });
  /** The targets with a mark, numbered from 0 on. */
  const places = new Map<number, number>();

  async function readAll(lines: Lines, id: string) {
    const select = `SELECT campaigns.xmin::text, joined::text, met_on::text, string_agg(target_id::text, ' ')
      FROM campaigns LEFT JOIN campaign_members ON campaign_id = id
      WHERE id = ${quoted(id)} GROUP BY 1, joined, met_on`;
    const found: { readonly mark: Mark; readonly at: readonly number[] }[] = [];
    let version = "";
    // Most members have the same days, so they are sent once for all of these.
    for await (const rows of readRows(lines(select))) {
      for (const [xmin = "", joined, metAt, targets] of rows) {
        version = xmin;
        if (targets) found.push({ mark: { joined: joined || null, metAt: metAt || null }, at: placesOf(targets) });
      }
    }
    const indexes = new (found.length < 2 ** 16 ? Uint16Array : Uint32Array)(places.size);
    for (const [index, { at }] of found.entries()) for (const place of at) indexes[place] = index + 1;
    const marks = [undefined, ...found.map(({ mark }) => mark)];
    const find: Marks = (place) => marks[indexes[place] ?? 0];
    return { version, find };
  }

  function placesOf(targets: string): number[] {
    return targets.split(" ").map((target) => {
      const place = places.get(Number(target)) ?? places.size;
      places.set(Number(target), place);
      return place;
    });
  }

  async function readAnew({ id, version }: Pick<StoredCampaign, "id" | "version">): Promise<Marks> {
    let found: string | undefined;
    try {
      const read = await readSnapshot(database, database.reads, (lines) => readAll(lines, id));
      found = read.version;
      return read.find;
    } finally {
      if (found !== version) known.delete(id); // a replica may be behind
    }
  }

  return {
    async readMarks({ id, version, recorded }) {
      if (recorded === null) return () => undefined;
      const found = known.get(id);
      if (found?.version === version) return found.marks;
      const marks = readAnew({ id, version });
      known.set(id, { version, marks });
      return marks;
    },
    placeOf: (target) => places.get(target) ?? -1,
  };
}
