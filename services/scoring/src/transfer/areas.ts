import type { Knex } from "knex";
import { OperatorError } from "../model/errors.ts";
import type { TableName } from "./row-schemas.ts";
import type { TableRow } from "./tables.ts";

/** An area that was asked for has nothing to carry, or one of an import is there already. Nothing was stored. */
export class AreasError extends OperatorError {
  override readonly name = "AreasError";
}

/** Watches which of the areas that were asked for have rows. Without such areas everything is wanted. */
export interface AreaWatch {
  /** The areas of the rows that are wanted. */
  readonly seen: ReadonlySet<string>;
  /** Notes the area of a row; that of a former name is the one that it leads to. Says whether it is wanted. */
  note(row: TableRow): boolean;
  /** @throws AreasError naming the areas without a row: a misspelt name would otherwise look like an empty area */
  requireAll(where: string): void;
}

export function watchAreas(areas: readonly string[] | undefined): AreaWatch {
  const wanted = areas && new Set(areas);
  const seen = new Set<string>();
  return {
    seen,
    note({ area, to_area = area }) {
      const isWanted = wanted?.has(to_area as string) ?? true;
      if (isWanted) seen.add(to_area as string);
      return isWanted;
    },
    requireAll(where) {
      const missing = (areas ?? []).filter((area) => !seen.has(area));
      if (missing.length > 0) throw new AreasError(`nothing is ${where} of the area ${listed(missing)}`);
    },
  };
}

/** The column by which the rows of a table belong to an area. */
export function areaOf(table: TableName): string {
  return table === "former_names" ? "to_area" : "area";
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
