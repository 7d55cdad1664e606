import type { Document } from "./document.ts";
import { unreadable } from "./errors.ts";
import { type Fields, objectAt } from "./shape.ts";

/**
 * The one JSON object of a report.
 *
 * @throws ReportError when it is cut off, or when there are several: they are the reports of several runs
 */
export function singleRecord(document: Document): Fields {
  const [record, another] = document.records();
  if (another !== undefined) throw unreadable("has several JSON values: give one report a file");
  return objectAt(record, "the report");
}
