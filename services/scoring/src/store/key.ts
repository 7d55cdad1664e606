import { hash } from "node:crypto";

/** The key of a row within its area: the SHA-256 of the names after `area`, in PostgreSQL's notation of bytea. */
export function keyOf(names: readonly string[]): string {
  return `\\x${hash("sha256", JSON.stringify(names))}`;
}

/** Identifies a row within its table. */
export function rowId(area: string, key: string): string {
  return area + key;
}
