import { Readable } from "node:stream";
import type { Database } from "../../src/store/database.ts";
import { exportRows } from "../../src/transfer/export.ts";
import { type Imported, type ImportOptions, importRows as importAs } from "../../src/transfer/import.ts";
import { createDatabase, type engines, shippedEngine, type TestService, useService } from "./service.ts";

/** A row of an export. */
export const score = {
  table: "scores",
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "dast",
  score: 62.51,
  raw: { high: 0, medium: 5 },
  scorer: "@maturity/security@1.0.0",
  reported_at: "2026-01-31T12:00:00.123456Z",
  changed_at: "2026-01-31T12:00:00.123456Z",
  former_score: 50,
  changed_by: "report",
};

/** A row of an export. */
export const problem = {
  table: "problems",
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  problem_type: "secret",
  severity: "high",
  count: 1,
  details: [{ file: "a.tf" }] as const,
  opened_at: "2026-01-31T11:00:00.000001Z",
  past_openings: [{ opened_at: "2026-01-01T08:00:00Z", resolved_at: "2026-01-03T08:00:00Z", severity: "low" }] as const,
  reported_at: "2026-01-31T12:00:00.123456Z",
};

/** A row of an export. */
export const change = {
  table: "score_changes",
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "dast",
  at: "2026-01-31T12:00:00.123456Z",
  former: 50,
  score: 62.51,
  scorer: "@maturity/security@1.0.0",
  cause: "report",
};

/** A row of an export. */
export const waiver = {
  table: "waivers",
  id: "00000000-0000-4000-8000-000000000001",
  kind: "not_applicable",
  area: "shop",
  scorecard: "security",
  reason: "a library",
  owner: "ann",
  requested_at: "2026-01-31T12:00:00Z",
  requested_by: "ann",
  decision: "approved",
  decided_at: "2026-01-31T12:00:00Z",
  decided_by: "ann",
};

/** A row of an export. */
export const rollUpDay = {
  table: "roll_up_days",
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  day: "2026-01-31",
  score: 62.123_456_789,
  reported: 0.1,
  fresh: 0.05,
};

/** The service on an engine, for one test. */
export async function useServiceOn(kind: (typeof engines)[number]): Promise<TestService> {
  return useService({ databaseUrl: await createDatabase(kind) });
}

/** Imports lines as the command does. */
export async function importRows(
  database: Database,
  lines: AsyncIterable<string>,
  areas?: readonly string[],
  unregistered: ImportOptions["unregistered"] = "accept",
): Promise<Imported> {
  const { scorecards } = shippedEngine;
  return importAs(database, lines, { actor: "test", areas, scorecards, hasHistory: true, unregistered });
}

/** Lines to import: texts as they are, rows as JSON. */
export function lines(...rows: readonly (object | string)[]): Readable {
  return Readable.from(rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))));
}

/** The lines that an export writes. */
export async function collect(database: Database): Promise<string[]> {
  const collected: string[] = [];
  for await (const line of exportRows(database)) collected.push(line);
  return collected;
}
