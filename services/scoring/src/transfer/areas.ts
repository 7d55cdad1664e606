import type { Knex } from "knex";
import { OperatorError } from "../model/errors.ts";
import { query } from "../store/sql.ts";
import type { Row } from "./kinds.ts";

/** A chosen area has no data, or the store has an area of the import already. Nothing was stored. */
export class AreasError extends OperatorError {
  override readonly name = "AreasError";
}

/** The area of a row; for a former name, the area of its new name. */
export function areaOf({ area, to_area = area }: Row): string {
  return to_area as string;
}

/** @throws AreasError naming the chosen areas without rows: a misspelt name would otherwise look like an empty area */
export function requireSeen(areas: readonly string[] | undefined, seen: ReadonlySet<string>, where: string): void {
  const missing = (areas ?? []).filter((area) => !seen.has(area));
  if (missing.length > 0) throw new AreasError(`nothing is ${where} of the area ${listed(missing)}`);
}

/** @throws AreasError naming the areas of which the store has anything */
export async function requireNewAreas(trx: Knex, areas: Iterable<string>): Promise<void> {
  const rows: { name: string }[] = await query(trx)`
    SELECT name FROM unnest(${[...areas]}::text[]) AS wanted (name)
    WHERE EXISTS (SELECT FROM applications WHERE area = name) OR EXISTS (SELECT FROM former_groups WHERE to_area = name)
      OR EXISTS (SELECT FROM roll_up_targets WHERE area = name) OR EXISTS (SELECT FROM waivers WHERE area = name)
    ORDER BY name
  `;
  if (rows.length === 0) return;
  const names = listed(rows.map(({ name }) => name));
  throw new AreasError(
    `the store has the area ${names} already; an import takes only areas that the store does not have, so nothing was imported`,
  );
}

/** The largest number of names in a message. */
const maxNames = 10;

function listed(names: readonly string[]): string {
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames).map((name) => JSON.stringify(name));
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
