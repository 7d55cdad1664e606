import { csvFormula } from "@maturity/core/wire";
import type { Json } from "../openapi/operation.ts";

/** The columns of a CSV file: a name, and the value for an item. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>;

/** Columns of these fields. */
export function fields<Item, Field extends Extract<keyof Item, string>>(...names: readonly Field[]): Columns<Item> {
  return Object.fromEntries(names.map((field) => [field, (item: Item) => item[field]]));
}

/** Columns of the required fields of a JSON Schema, in its order, or of all fields. */
export function columnsOf<Item>({ properties = {}, required = [] }: Json, all = false): Columns<Item> {
  const names = all ? Object.keys(properties as Json) : (required as readonly string[]);
  return fields<Json, string>(...names) as Columns<never> as Columns<Item>;
}

/** Columns of all fields of a JSON Schema; of a field that is an object, those of its fields, such as `moved_to_area`. */
export function nestedColumnsOf<Item>({ properties = {} }: Json): Columns<Item> {
  const columns = Object.entries(properties as Record<string, Json>).flatMap(([name, property]) =>
    "properties" in property
      ? Object.keys(property.properties as Json).map((part) => [
          `${name}_${part}`,
          (item: Json) => (item[name] as Json | null)?.[part],
        ])
      : Object.entries(fields<Json, string>(name)),
  );
  return Object.fromEntries(columns);
}

/** The line with the names of the columns, and more names, by RFC 4180. */
export function csvHeader(columns: Columns<never>, ...more: readonly string[]): string {
  return csvLine([...Object.keys(columns), ...more]);
}

/**
 * The line of an item, and more values, by RFC 4180. Numbers have two decimals unless they are whole. Times are in ISO
 * 8601, and lists and objects in JSON.
 */
export function csvRow<Item>(columns: Columns<Item>, item: Item, ...more: readonly unknown[]): string {
  return csvLine([...Object.values(columns).map((value) => value(item)), ...more]);
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean" || Number.isInteger(value)) return String(value);
  if (typeof value === "number") return (Math.round(value * 100) / 100).toFixed(2);
  const text = value instanceof Date ? value.toISOString() : typeof value === "string" ? value : JSON.stringify(value);
  const safe = csvFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
