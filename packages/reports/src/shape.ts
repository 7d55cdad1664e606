import type { Document } from "./document.ts";
import { unreadable } from "./errors.ts";

/** An object of a report whose fields have not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws ReportError that names the path */
export function objectAt(value: unknown, path: string): Fields {
  if (!isObject(value)) throw unreadable(`${path} must be an object`);
  return value;
}

/** @throws ReportError that names the path */
export function listAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable(`${path} must be a list`);
  return value;
}

/** A list that may be missing or `null`, because tools written in Go write an empty list in these ways. */
export function optionalListAt(value: unknown, path: string): readonly unknown[] {
  return value === undefined || value === null ? [] : listAt(value, path);
}

/** @throws ReportError that names the path */
export function numberAt(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw unreadable(`${path} must be a number`);
  return value;
}

/** A whole number from 0. @throws ReportError that names the path */
export function countAt(value: unknown, path: string): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw unreadable(`${path} must be a whole number, not below 0`);
  return Number(value);
}

/** Whether a value is a number above 0. */
export function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

/** The value if it is a text that is not empty, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The records of a report, which must all be objects. Each comes with the beginning of the paths in it: "" for the
 * first, because most reports have only one, and `record 2: ` for the second.
 *
 * @param equal whether equal records count each; only for tools that write equal records of different findings
 * @throws ReportError that names the record
 */
export function* objectsOf(
  document: Document,
  equal: "once" | "each" = "once",
): Generator<{ record: Fields; path: string }> {
  let number = 0;
  for (const value of document.records(equal)) {
    number++;
    yield { record: objectAt(value, `record ${number}`), path: number === 1 ? "" : `record ${number}: ` };
  }
}

/** The entries of a list, which must all be objects, each with its path. The list may be missing or `null`. */
export function* entriesAt(list: unknown, path: string): Generator<{ entry: Fields; path: string }> {
  for (const [index, value] of optionalListAt(list, path).entries()) {
    const at = `${path}[${index}]`;
    yield { entry: objectAt(value, at), path: at };
  }
}
