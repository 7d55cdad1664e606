import type { Knex } from "knex";
import { OperatorError } from "../model/errors.ts";
import type { Row } from "./kinds.ts";

/** An area that was asked for has nothing to carry, or one of an import is there already. Nothing was stored. */
export class AreasError extends OperatorError {
  override readonly name = "AreasError";
}

/** The area of a row; that of a former name is the one that it leads to. */
export function areaOf({ area, to_area = area }: Row): string {
  return to_area as string;
}

/** @throws AreasError naming the areas that are not seen: a misspelt name would otherwise look like an empty area */
export function requireSeen(areas: readonly string[] | undefined, seen: ReadonlySet<string>, where: string): void {
  const missing = (areas ?? []).filter((area) => !seen.has(area));
  if (missing.length > 0) throw new AreasError(`nothing is ${where} of the area ${listed(missing)}`);
}

/** @throws AreasError naming the areas of which the store has anything */
export async function requireNewAreas(trx: Knex, areas: Iterable<string>): Promise<void> {
  const { rows }: { rows: { name: string }[] } = await trx.raw(
    `
    SELECT name FROM unnest(?::text[]) AS wanted (name)
    WHERE EXISTS (SELECT FROM applications WHERE area = name) OR EXISTS (SELECT FROM former_groups WHERE to_area = name)
      OR EXISTS (SELECT FROM roll_up_targets WHERE area = name) OR EXISTS (SELECT FROM waivers WHERE area = name)
    ORDER BY name
    `,
    [[...areas]],
  );
  if (rows.length === 0) return;
  const names = listed(rows.map(({ name }) => name));
  throw new AreasError(
    `the store has the area ${names} already; only what it does not have is taken, so nothing was imported`,
  );
}

/** Most names of a message. */
const maxNames = 10;

function listed(names: readonly string[]): string {
  const more = names.length - maxNames;
  const some = names.slice(0, maxNames).map((name) => JSON.stringify(name));
  return `${some.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
