import type { Document } from "./document.ts";
import { unreadable } from "./errors.ts";
import { type Fields, objectAt } from "./shape.ts";

/**
 * The JSON object of a report that has only one.
 *
 * @throws ReportError if it is cut off. Also if there are several, which are reports of several runs.
 */
export function singleRecord(document: Document): Fields {
  const [record, another] = document.records();
  if (another !== undefined) throw unreadable("has several JSON values: give one report a file");
  return objectAt(record, "the report");
}
