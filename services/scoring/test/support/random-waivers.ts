import { randomUUID } from "node:crypto";
import type { Scorecard, ScoreRecord, Target, Waiver } from "@maturity/core";
import fc from "fast-check";

/** A row of the table. */
export interface WaiverRow extends Waiver {
  readonly id: string;
  /** Null for what was not approved. */
  readonly created_at: string | null;
}

const hours = fc.constantFrom(-72, -25, -2, 2, 25, 72);

/**
 * Waivers, at any depth, of applications that have scores: of some of their scorecards or metrics, some of which are not
 * registered, and of problems. They begin, end and are revoked hours before or after now, so it matters little when they
 * are read. Some were never approved.
 */
export function randomWaivers(
  seed: number,
  records: readonly ScoreRecord[],
  scorecards: readonly Scorecard[],
): WaiverRow[] {
  const now = Date.now();
  const time = (hours: number | null) => (hours === null ? null : new Date(now + hours * 3_600_000).toISOString());
  const metrics = scorecards.flatMap(({ name, metrics }) => [
    { scorecard: name, metric: null, problem_type: null },
    ...metrics.map((metric) => ({ scorecard: name, metric: metric.name as string | null, problem_type: null })),
  ]);
  const certain = {
    target: fc.constantFrom<Target>(...records),
    depth: fc.constantFrom(1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4),
    what: fc.constantFrom<object>(...metrics),
    begins: fc.constant<number>(-80),
    ends: fc.constant<number | null>(72),
    revoked: fc.constant<number | null>(null),
    decision: fc.constant<string | null>("approved"),
  };
  const any: typeof certain = {
    ...certain,
    what: fc.constantFrom<object>(
      ...metrics,
      { scorecard: "gone", metric: null, problem_type: null },
      { scorecard: null, metric: null, problem_type: "secret" },
    ),
    begins: fc.oneof({ weight: 6, arbitrary: fc.constant(-80) }, { weight: 1, arbitrary: hours }),
    ends: fc.option(hours, { nil: null }),
    revoked: fc.option(hours, { nil: null, freq: 3 }),
    decision: fc.constantFrom("approved", "approved", "approved", "approved", "rejected", "withdrawn", null),
  };
  const waivers = fc.tuple(fc.record(certain), fc.array(fc.record(any), { minLength: 24, maxLength: 24 }));
  return fc
    .sample(waivers, { seed, numRuns: 1 })
    .flat(2)
    .map(({ target: { area, team, app, env }, depth, what, begins, ends, revoked, decision }) => ({
      ...{ id: randomUUID(), kind: "not_applicable", reason: "none", owner: "ann", created_by: "office" },
      ...{ area, team: depth > 1 ? team : null, app: depth > 2 ? app : null, env: depth > 3 ? env : null },
      ...what,
      ...{ decision, created_at: decision === "approved" ? time(begins) : null, expires_at: time(ends) },
      ...(decision === "approved" && revoked !== null && { revoked_at: time(revoked), revoked_by: "office" }),
    })) as WaiverRow[];
}

/**
 * Stores rows of applications that exist, or of teams and areas. A row with `created_at` was approved then. Its only value
 * is their JSON.
 */
export const insertRows = `
  INSERT INTO waivers
    (id, kind, application_id, area, team, env, scorecard, metric, problem_type, reason, owner, requested_at, requested_by,
     decision, decided_at, decided_by, expires_at, revoked_at, revoked_by)
  SELECT sent.id, kind, applications.id, CASE WHEN sent.app IS NULL THEN sent.area END,
    CASE WHEN sent.app IS NULL THEN sent.team END, env, scorecard, metric, problem_type, reason, sent.owner, at, created_by,
    coalesce(decision, CASE WHEN created_at IS NOT NULL THEN 'approved' END),
    CASE WHEN coalesce(decision, created_at::text) IS NOT NULL THEN at END,
    CASE WHEN coalesce(decision, created_at::text) IS NOT NULL THEN created_by END, expires_at, revoked_at, revoked_by
  FROM json_to_recordset($1::json) AS sent (
    id uuid, kind text, area text, team text, app text, env text, scorecard text, metric text, problem_type text,
    reason text, owner text, created_at timestamptz, created_by text, decision text, expires_at timestamptz,
    revoked_at timestamptz, revoked_by text
  )
  LEFT JOIN applications USING (area, team, app)
  CROSS JOIN LATERAL (SELECT coalesce(created_at, date_trunc('milliseconds', now())) AS at) AS asked
`;
