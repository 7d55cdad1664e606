import type { AppliesRule, Engine, Level } from "@maturity/core";
import { type Organisation, readOrganisation } from "../../src/rollups/organisation.ts";
import type { Database } from "../../src/store/database.ts";
import { readSnapshot } from "../../src/store/lines.ts";

/** Reads the roll-ups of all applications as they are now. */
export function organisationOf(
  database: Database,
  { scorecards }: Engine,
  levels: readonly Level[] = [],
  applies: readonly AppliesRule[] = [],
): Promise<Organisation> {
  return readSnapshot(database, database.reads, (lines) => readOrganisation(lines, { scorecards, levels, applies }));
}
