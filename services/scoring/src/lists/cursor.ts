import { hash } from "node:crypto";
import { unstorable } from "@maturity/core/wire";
import { invalidPayload, type ServiceError } from "../model/errors.ts";

/**
 * The end of a page: the sort values of its last item. The next page begins with the first item after them. So each
 * page costs as much as the first, and items that are added or removed in between shift no other item.
 */
export type Position = readonly (string | number | null)[];

/** The content of a cursor. */
export interface Cursor {
  readonly position: Position;
  /** The number of items of the whole list when its first page was read. */
  readonly total: number;
}

/** Version of the format of cursors. Other versions are refused. */
const version = 1;

/** @param list identifies the list: its path and its query without paging */
export function encodeCursor(list: unknown, { position, total }: Cursor): string {
  const content = JSON.stringify([version, total, position]);
  return Buffer.from(JSON.stringify([checksum(list, content), content])).toString("base64url");
}

/**
 * Reads a cursor.
 *
 * @param list the list that it must be of
 * @throws ServiceError `invalid-payload` for a cursor of another list or version, or one that was not made here
 */
export function decodeCursor(list: unknown, cursor: string): Cursor {
  const content = contentOf(list, cursor);
  if (content) {
    const [found, total, position] = content;
    const isTotal = Number.isSafeInteger(total) && total >= 0;
    if (found === version && isTotal && isPosition(position)) return { position, total };
  }
  throw wrongCursor();
}

function isPosition(values: unknown): values is Position {
  const isValue = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";
  return Array.isArray(values) && values.every(isValue) && !unstorable(values, "");
}

export function wrongCursor(): ServiceError {
  const message =
    "is not a cursor of this query; take `next` of the page before, and leave the other parameters as they are";
  return invalidPayload([{ path: "cursor", message }]);
}

function contentOf(list: unknown, cursor: string): [version: unknown, total: number, position: unknown] | undefined {
  try {
    const [sum, content] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return sum === checksum(list, content) ? JSON.parse(content) : undefined;
  } catch {
    return undefined;
  }
}

/** A checksum against mistakes. It is no secret, so the content of a cursor is checked as well. */
function checksum(list: unknown, content: string): string {
  return hash("sha256", JSON.stringify([list, content]), "base64url").slice(0, 16);
}
