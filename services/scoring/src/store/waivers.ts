import type { Waiver } from "@maturity/core";
import { requestDays } from "../model/limits.ts";
import type { WaiverKind, WaiverState } from "../model/waiver.ts";

/** A stored waiver. Null in a field of its scope means all. */
export interface StoredWaiver extends Waiver {
  readonly id: string;
  /** Its state when the statement began that read it. */
  readonly state: WaiverState;
  readonly kind: WaiverKind;
  readonly team: string | null;
  readonly app: string | null;
  readonly env: string | null;
  readonly scorecard: string | null;
  readonly metric: string | null;
  readonly problem_type: string | null;
  readonly reason: string;
  readonly owner: string;
  readonly evidence: string | null;
  /** The id of the waiver that it goes on from, which may be deleted by now. */
  readonly extends: string | null;
  readonly requested_at: Date;
  /** The name of the grant that asked for it. */
  readonly requested_by: string;
  /** Null while it waits, and if nobody decided in time. */
  readonly decided_at: Date | null;
  /** The name of the grant that approved, rejected or withdrew it. */
  readonly decided_by: string | null;
  readonly comment: string | null;
  /** The time of its approval. Null if it was never approved. */
  readonly created_at: Date | null;
  /** The name of the grant that approved it. */
  readonly created_by: string | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly revoked_by: string | null;
}

/**
 * SQL of whether a waiver is in force at a time, as `isInForce` of core. Without an approval `created_at` is null and
 * `ends_at` is before all times, so it is not. All that reads what is waived asks this.
 *
 * @param moment SQL that is the same for all rows; PostgreSQL searches no index by `clock_timestamp()`
 */
export function inForceAt(moment: string): string {
  return `created_at <= ${moment} AND ends_at > ${moment}`;
}

/** SQL of the time at which the statement begins. */
export const now = "statement_timestamp()";

/** SQL of whether a waiver is in force when the statement begins. */
export const inForceNow: string = inForceAt(now);

const patience = `make_interval(hours => 24 * ${requestDays})`;

/** SQL of whether nobody has decided a request for so long that it is withdrawn. */
export const isUndecided: string = `decision IS NULL AND requested_at <= ${now} - ${patience}`;

/** SQL of whether a waiver has this state when the statement begins. Each waiver has one. */
export const hasState: Readonly<Record<WaiverState, string>> = {
  requested: `created_at IS NULL AND decision IS NULL AND requested_at > ${now} - ${patience}`,
  approved: `ends_at > ${now}`,
  rejected: "decision = 'rejected'",
  withdrawn: `decision = 'withdrawn' OR ${isUndecided}`,
  revoked: `ends_at <= ${now} AND ends_at = revoked_at`,
  expired: `created_at IS NOT NULL AND ends_at <= ${now} AND ends_at IS DISTINCT FROM revoked_at`,
};

/** SQL of the time since which a waiver, also one that was never approved, is over. */
export const overSince: string = `CASE WHEN created_at IS NULL THEN coalesce(decided_at, requested_at + ${patience}) ELSE ends_at END`;

const state = Object.entries(hasState).map(([name, holds]) => `WHEN ${holds} THEN '${name}'`);

/** The columns of a `StoredWaiver`, in the view `waivers_by_name`. */
export const waiverColumns: string = `id, CASE ${state.join(" ")} END AS state, kind, area, team, app, env, scorecard, metric, problem_type, reason, owner,
  evidence, extends, requested_at, requested_by, decided_at, decided_by, comment, created_at, created_by, expires_at, revoked_at, revoked_by`;

/** A SELECT of the waivers of scores in force at a time. Of several waivers with the same scope it has the longest. */
export function scoreWaivers(columns: string, at: Date): string {
  const same = "area, team, app, env, scorecard, metric";
  return `SELECT DISTINCT ON (${same}) ${columns} FROM waivers_by_name
    WHERE scorecard IS NOT NULL AND ${inForceAt(`timestamptz '${at.toISOString()}'`)}
    ORDER BY ${same}, expires_at DESC NULLS FIRST, id`;
}

/** SQL of a team, an application and an environment. An empty text means all, so that it can be compared. */
type ScopeSql = readonly [team: string, app: string, env: string];

/** The scope of a row of `waivers_by_name`. */
const scopeOfWaiver: ScopeSql = ["coalesce(team, '')", "coalesce(app, '')", "coalesce(env, '')"];

/** The scopes of all waivers that can cover the application of a row. */
function scopesOfRow(row: string): readonly ScopeSql[] {
  const [team, app, env] = [`${row}.team`, `${row}.app`, `${row}.env`];
  return [
    ["''", "''", "''"],
    [team, "''", "''"],
    [team, app, "''"],
    [team, app, env],
  ];
}

/** SQL that joins names into one text, to compare them at once. No name has a tab. */
const inOneText = (...names: readonly string[]) => names.join(" || chr(9) || ");

/**
 * SQL of whether the score of a row's metric is waived now. The waivers are read once, so their number does not change
 * the cost of a row. Names are joined only for rows whose area has a waiver of their scorecard.
 */
export function isScoreWaived(row: string): string {
  const scopes = scopesOfRow(row).flatMap((scope) =>
    ["''", `${row}.metric`].map((metric) => inOneText(`${row}.area`, ...scope, `${row}.scorecard`, metric)),
  );
  const inForce = `FROM waivers_by_name WHERE scorecard IS NOT NULL AND ${inForceNow}`;
  return `((${row}.area, ${row}.scorecard) IN (SELECT area, scorecard ${inForce}) AND (
    SELECT bool_or(scope IN (
      SELECT ${inOneText("area", ...scopeOfWaiver, "scorecard", "coalesce(metric, '')")} ${inForce}
    )) FROM unnest(ARRAY[${scopes.join(", ")}]) AS scopes (scope)
  ))`;
}

/** SQL of whether the problem of a row is waived now. The row has the id of its application too. */
export function isProblemWaived(row: string): string {
  return `(
    EXISTS (
      SELECT FROM waivers
      WHERE waivers.application_id = ${row}.application_id AND waivers.problem_type = ${row}.problem_type
        AND (waivers.env IS NULL OR waivers.env = ${row}.env) AND ${inForceNow}
    ) OR EXISTS (
      SELECT FROM waivers
      WHERE waivers.application_id IS NULL AND waivers.area = ${row}.area AND coalesce(waivers.team, '') IN ('', ${row}.team)
        AND waivers.problem_type = ${row}.problem_type AND ${inForceNow}
    )
  )`;
}
