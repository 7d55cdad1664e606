import type { Target } from "@maturity/core";
import type { Lines } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";

/** May an application have values of another one since a day, because something was moved to its name? */
export type IsMoved = (app: Target) => boolean;

/** Reads to which names something was moved since a time, which is SQL. */
export async function readMoved(lines: Lines, since: string): Promise<IsMoved> {
  const names = new Set<string>();
  const select = `SELECT to_area, nullif(to_team, ''), nullif(to_app, '') FROM former_names WHERE moved_at > ${since}`;
  for await (const rows of inLines(lines(select))) for (const row of rows) names.add(row);
  if (names.size === 0) return () => false;
  const has = (...parts: string[]) => names.has(parts.join(separator));
  return ({ area, team, app }) => has(area, team, app) || has(area, team, "") || has(area, "", "");
}
