import Bourne from "@hapi/bourne";
import { unstorable } from "@maturity/core/wire";
import { faults } from "../model/fields.ts";
import { type Row, rowSchemas, type TableName, tableNames } from "./kinds.ts";
import { ImportError } from "./lines.ts";

/**
 * Reads a line of an import.
 *
 * @param number of the line, from 1
 * @param latest the latest time that the row may have, in milliseconds since 1970
 * @throws ImportError
 */
export function readRow(line: string, number: number, latest: number): { table: TableName; row: Row } {
  const refuse = (fault: string) => new ImportError(number, fault);
  const value: unknown = Bourne.safeParse(line);
  if (!isRow(value)) throw refuse("is not a JSON object");
  const { table, ...fields } = value;
  if (!isTableName(table)) throw refuse(`table must be ${tableList}`);
  const { value: row, error } = rowSchemas[table].validate(fields, { context: { latest } });
  const [fault] = error ? faults(error) : [unstorable(row.raw, "raw")];
  if (fault) throw refuse(`${fault.path} ${fault.message}`.trimStart());
  return { table, row };
}

const tableList = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(tableNames.map((table) => `"${table}"`));

function isTableName(value: unknown): value is TableName {
  return (tableNames as readonly unknown[]).includes(value);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
