import { OperatorError } from "../model/errors.ts";
import type { TableRow } from "./tables.ts";

/** There is nothing of an area that was asked for; a misspelt name would otherwise look like an empty area. */
export class MissingAreasError extends OperatorError {
  override readonly name = "MissingAreasError";
}

/** Watches which of the areas that were asked for have rows. Without such areas everything is wanted. */
export interface AreaWatch {
  /** Notes the area of a row; that of a former name is the one that it leads to. Says whether it is wanted. */
  note(row: TableRow): boolean;
  /** @throws MissingAreasError naming the areas without a row */
  requireAll(where: string): void;
}

export function watchAreas(areas: readonly string[] | undefined): AreaWatch {
  const wanted = areas && new Set(areas);
  const missing = new Set(areas);
  return {
    note({ area, to_area = area }) {
      missing.delete(to_area as string);
      return wanted?.has(to_area as string) ?? true;
    },
    requireAll(where) {
      if (missing.size === 0) return;
      const names = [...missing].map((area) => JSON.stringify(area)).join(", ");
      throw new MissingAreasError(`nothing is ${where} of the area ${names}`);
    },
  };
}
