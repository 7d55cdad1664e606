import Bourne from "@hapi/bourne";
import { faults } from "../model/fields.ts";
import { clockToleranceS, maxAcceptedDays } from "../model/limits.ts";
import { unstorable } from "../model/storable.ts";
import { unregistered, type WaivableScorecard } from "../model/waiver.ts";
import { ImportError } from "./import-error.ts";
import { rowSchemas, type TableName, tableNames } from "./row-schemas.ts";
import type { TableRow } from "./tables.ts";

/** The fields that must not be later than the database's clock. */
const times = [
  ...["reported_at", "opened_at", "changed_at", "at", "day", "created_at", "revoked_at"],
  ...["registered_at", "moved_at", "used_at", "retired_at"],
];

/**
 * Reads a line of an import.
 *
 * @param number of the line, from 1
 * @param latest gives the latest time that the row may have, in milliseconds since 1970. A later one would stay for good:
 * `reported_at` never goes back
 * @throws ImportError
 */
export function readRow(line: string, number: number, latest: () => number): { table: TableName; row: TableRow } {
  const refuse = (fault: string) => new ImportError(number, fault);
  const value = parse(line);
  if (!isRow(value)) throw refuse("is not a JSON object");
  const { table, ...fields } = value;
  if (!isTableName(table)) throw refuse(`table must be ${tableList}`);
  const { value: row, error } = rowSchemas[table].validate(fields);
  const [fault] = error ? faults(error) : [unstorable(row.raw, "raw")];
  if (fault) throw refuse(`${fault.path} ${fault.message}`.trimStart());
  const early = times.find((field) => Date.parse(row[field]) > latest());
  if (early) throw refuse(`${early} is more than ${clockToleranceS} s ahead of the database's clock`);
  if (row.changed_at > row.reported_at && row.changed_by === "report")
    throw refuse("changed_at must not be later than reported_at");
  if ("severity" in row) {
    if (row.count > 0 !== "opened_at" in row)
      throw refuse("opened_at must be there while count is above 0, and only then");
    row.severity = row.severity.toLowerCase();
  }
  return { table, row };
}

/**
 * Checks that a request could have made a waiver, by the rules of the moment of its making. What is registered is known of
 * this moment alone, so it counts for a waiver that is in force.
 *
 * @param now gives the time in milliseconds since 1970
 * @throws ImportError
 */
export function requireMakeable(
  row: TableRow,
  number: number,
  { scorecards, now }: { readonly scorecards: readonly WaivableScorecard[]; now(): number },
): void {
  const waiver = row as Readonly<Record<string, string>>;
  const fault = faultOfWaiver(waiver);
  if (fault) throw new ImportError(number, fault);
  const { expires_at, revoked_at } = waiver;
  const isOver = revoked_at !== undefined || (expires_at !== undefined && Date.parse(expires_at) <= now());
  const unknown = isOver ? undefined : unregistered(scorecards, waiver);
  if (unknown)
    throw new ImportError(
      number,
      `${unknown.message}; name its package in SCORECARDS, or revoke the waiver and export again`,
    );
}

function faultOfWaiver({
  kind,
  created_at,
  expires_at,
  revoked_at,
}: Readonly<Record<string, string>>): string | undefined {
  const made = Date.parse(created_at ?? "");
  const end = expires_at === undefined ? undefined : Date.parse(expires_at);
  if (kind === "accepted" && end === undefined) return "expires_at is required of what is accepted";
  if (end !== undefined && end <= made) return "expires_at must be later than created_at";
  if (kind === "accepted" && Number(end) > made + maxAcceptedDays * 86_400_000)
    return `expires_at of what is accepted must be at most ${maxAcceptedDays} days after created_at`;
  if (revoked_at !== undefined && Date.parse(revoked_at) < made)
    return "revoked_at must not be earlier than created_at";
  return undefined;
}

const tableList = `${tableNames
  .slice(0, -1)
  .map((table) => `"${table}"`)
  .join(", ")} or "${tableNames.at(-1)}"`;

function isTableName(value: unknown): value is TableName {
  return (tableNames as readonly unknown[]).includes(value);
}

function isRow(value: unknown): value is TableRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(line: string): unknown {
  try {
    return Bourne.parse(line);
  } catch {
    return undefined;
  }
}
