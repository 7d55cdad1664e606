import type { Knex } from "knex";
import * as firstSchema from "./001-first-schema.ts";

export interface Migration {
  /** Begins with a number of three digits. */
  readonly name: string;
  /** The last migration known to the oldest version that still works once this one has run. */
  readonly worksFrom: string;
  up(knex: Knex): Promise<void>;
}

/** All migrations in their order. They are never renumbered, and never edited once released. */
export const migrations: readonly Migration[] = [
  { name: "001-first-schema", worksFrom: "001-first-schema", ...firstSchema },
];
