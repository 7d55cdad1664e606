import { hash } from "node:crypto";

/** What a cursor is for: the path, the validated query without paging, and the bounds of the caller. */
export type CursorIdentity = readonly [path: string, query: object, bounds: readonly object[]];

/**
 * A cursor as an attacker can make one, since the code is public: its checksum is right, whatever it holds.
 *
 * @param content version, total and position as JSON, or any other text
 */
export function forgedCursor([path, query, bounds]: CursorIdentity, content: string): string {
  const list = [path, Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)), bounds];
  const sum = hash("sha256", JSON.stringify([list, content]), "base64url").slice(0, 16);
  return Buffer.from(JSON.stringify([sum, content])).toString("base64url");
}

/** What a genuine cursor holds. */
export function contentOfCursor(cursor: string): [version: number, total: number, position: unknown[]] {
  const [, content] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  return JSON.parse(content);
}
