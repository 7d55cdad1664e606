import { randomUUID } from "node:crypto";
import type { Scorecard, ScoreRecord, Target, Waiver } from "@maturity/core";
import fc from "fast-check";

/** A row of the table. */
export interface WaiverRow extends Waiver {
  readonly id: string;
  readonly created_at: string;
}

const hours = fc.constantFrom(-72, -25, -2, 2, 25, 72);

/**
 * Waivers, at any depth, of applications that have scores: of some of their scorecards or metrics, some of which are not
 * registered, and of problems. They begin, end and are revoked hours before or after now, so it matters little when they
 * are read.
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
  const waiver = fc
    .record({
      target: fc.constantFrom<Target>(...records),
      depth: fc.constantFrom(1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4),
      what: fc.constantFrom<object>(
        ...metrics,
        { scorecard: "gone", metric: null, problem_type: null },
        { scorecard: null, metric: null, problem_type: "secret" },
      ),
      begins: fc.oneof({ weight: 6, arbitrary: fc.constant(-80) }, { weight: 1, arbitrary: hours }),
      ends: fc.option(hours, { nil: null }),
      revoked: fc.option(hours, { nil: null, freq: 3 }),
    })
    .map(({ target: { area, team, app, env }, depth, what, begins, ends, revoked }) => ({
      ...{ id: randomUUID(), kind: "not_applicable", reason: "none", owner: "ann", created_by: "office" },
      ...{ area, team: depth > 1 ? team : null, app: depth > 2 ? app : null, env: depth > 3 ? env : null },
      ...what,
      ...{ created_at: String(time(begins)), expires_at: time(ends), revoked_at: time(revoked) },
      revoked_by: revoked === null ? null : "office",
    }));
  return fc.sample(fc.array(waiver, { minLength: 25, maxLength: 25 }), { seed, numRuns: 1 }).flat() as WaiverRow[];
}

/** Stores rows as they are. Its only value is their JSON. */
export const insertRows = "INSERT INTO waivers SELECT * FROM json_populate_recordset(NULL::waivers, $1::json)";
