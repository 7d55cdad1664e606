import { randomUUID } from "node:crypto";
import { inject, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { query, withDatabase } from "./postgres.ts";
import type { engines } from "./service.ts";

/** A database without any table. */
export async function createEmptyDatabase(kind: (typeof engines)[number]): Promise<string> {
  if (kind === "pglite") return "pglite::memory:";
  const url = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await query(url, `CREATE DATABASE ${name}`);
  return withDatabase(url, name);
}

/** `openDatabase` for one test. */
export function useDatabase(url: string): Database {
  const database = openDatabase(url, 2);
  onTestFinished(() => database.close());
  return database;
}
