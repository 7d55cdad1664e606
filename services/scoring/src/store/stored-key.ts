import type { Knex } from "knex";
import { withStore } from "./failures.ts";

/** Makes a function that reads the key of a table with one row: once, unless that fails. */
export function createKeyReader(knex: Knex, table: "sign_in_key" | "badge_key"): () => Promise<Uint8Array> {
  let found: Promise<Uint8Array> | undefined;
  return () => {
    found ??= withStore(async () => new Uint8Array((await knex.raw(`SELECT key FROM ${table}`)).rows[0].key));
    found.catch(() => {
      found = undefined;
    });
    return found;
  };
}
