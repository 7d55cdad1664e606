import { hash } from "node:crypto";

/** Identifies a row within its area: the SHA-256 of the names that follow `area`, as PostgreSQL reads bytea. */
export function keyOf(names: readonly string[]): string {
  return `\\x${hash("sha256", JSON.stringify(names))}`;
}

/** Names a row among all of its table. */
export function rowId(area: string, key: string): string {
  return area + key;
}
