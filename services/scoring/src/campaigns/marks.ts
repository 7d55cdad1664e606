import { type Lines, quoted } from "../store/lines.ts";
import { readRows } from "../store/text-rows.ts";

/** What is remembered of a member of a campaign. */
export interface Mark {
  /** The day since which it belongs to the campaign; null if it did when the campaign started. */
  readonly joined: string | null;
  /** The first day on which it met the goal; null if it never did. */
  readonly metAt: string | null;
}

/** The marks of the members of a campaign, by their `App.target`. */
export type Marks = ReadonlyMap<number, Mark>;

export const noMarks: Marks = new Map();

/** Reads the marks of the members of a campaign. Most members have the same days, so they are sent once for all of these. */
export async function readMarks(lines: Lines, campaign: string): Promise<Marks> {
  const marks = new Map<number, Mark>();
  const select = `SELECT joined::text, met_on::text, string_agg(target_id::text, ' ')
    FROM campaign_members WHERE campaign_id = ${quoted(campaign)} GROUP BY joined, met_on`;
  for await (const rows of readRows(lines(select))) {
    for (const [joined, metAt, targets = ""] of rows) {
      const mark = { joined: joined || null, metAt: metAt || null };
      for (const target of targets.split(" ")) marks.set(Number(target), mark);
    }
  }
  return marks;
}
