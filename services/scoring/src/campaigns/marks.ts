import { type Lines, quoted } from "../store/lines.ts";
import { readRows, separator } from "../store/text-rows.ts";

/** What is remembered of a member of a campaign. */
export interface Mark {
  /** The day since which it belongs to the campaign; null if it did when the campaign started. */
  readonly joined: string | null;
  /** The first day on which it met the goal; null if it never did. */
  readonly metAt: string | null;
}

/** The marks of the members of a campaign, by their names in one text, as `App.id`. */
export type Marks = ReadonlyMap<string, Mark>;

export const noMarks: Marks = new Map();

/** Reads the marks of the members of a campaign under their current names. */
export async function readMarks(lines: Lines, campaign: string): Promise<Marks> {
  const marks = new Map<string, Mark>();
  const select = `SELECT area, team, app, env, joined::text, met_on::text
    FROM campaign_members JOIN targets ON targets.id = target_id JOIN applications ON applications.id = application_id
    WHERE campaign_id = ${quoted(campaign)}`;
  for await (const rows of readRows(lines(select))) {
    for (const row of rows) {
      const [joined, metAt] = row.splice(4);
      marks.set(row.join(separator), { joined: joined || null, metAt: metAt || null });
    }
  }
  return marks;
}
