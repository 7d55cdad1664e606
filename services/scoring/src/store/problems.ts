import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { invalidPayload } from "../model/errors.ts";
import type { Bounded } from "../model/grant.ts";
import { type OutOfRange, rangeFaults } from "../model/measured-at.ts";
import type { Problem } from "../model/problem.ts";
import type { Unregistered } from "../model/unregistered.ts";
import { appRetired, findCurrentNames, holdNames } from "./names.ts";
import { appUnregistered } from "./near-names.ts";
import { measuredAt, outOfRange } from "./score-changes.ts";
import { createTargets, knownTarget, noteUses } from "./targets.ts";
import { isoTime } from "./utc.ts";

/** What the database adds to a stored problem. */
export interface StoredProblem {
  readonly reported_at: Date;
  /** Whether a later scan was stored before: then nothing is stored. */
  readonly is_past: boolean;
  /** Whether its application is held until it is registered. */
  readonly is_held: boolean;
  /** When the problem was opened; null while `count` is 0. */
  readonly opened_at: Date | null;
  /** The id of the problem. */
  readonly problem: string;
  /** Identifies the current opening, as `problem@epoch`, until the problem is resolved; null while `count` is 0. */
  readonly thread: string | null;
  /** The current name of its application. */
  readonly name: AppName;
}

/** The key of a problem as a text. */
export function problemKey({ area, team, app, env, problem_type }: Target & Pick<Problem, "problem_type">): string {
  return JSON.stringify([area, team, app, env, problem_type]);
}

/**
 * Stores a problem over its previous state. Times never go back. The application cannot be moved or retired
 * until the transaction ends.
 *
 * @throws ServiceError `app-retired`; `app-unregistered` where these are refused; `invalid-payload` if its time of measurement is out of range
 */
export async function saveProblem(
  trx: Knex,
  problem: Problem,
  unregistered: Unregistered = "accept",
  reach: Bounded = { parts: [] },
): Promise<StoredProblem> {
  if (unregistered === "refuse") {
    await holdNames(trx);
    const [current] = await findCurrentNames(trx, [problem]);
    if (!current?.is_registered) throw await appUnregistered(trx, [{ name: problem, path: "app" }], reach);
  }
  const { area, team, app, env, problem_type, severity, count, details, chat_channel = null } = problem;
  const measured_at = problem.measured_at ?? null;
  const values = [
    ...[measured_at, area, team, app, env, problem_type],
    ...[problem_type, severity, count, JSON.stringify(details), chat_channel, count],
  ];
  for (;;) {
    const { rows } = await trx.raw(upsert, values);
    const [found] = rows;
    if (!found) {
      await createTargets(trx, [problem], unregistered);
    } else if (found.retired !== null) {
      throw appRetired([{ name: { area, team, app, ...(found.retired === "env" && { env }) }, path: found.retired }]);
    } else if (found.out_of_range !== null) {
      throw invalidPayload([{ path: "measured_at", message: rangeFaults[found.out_of_range as OutOfRange] }]);
    } else if (found.id !== null) {
      const { id, reported_at, opened_at, epoch, is_unnoted, is_past, is_held } = found;
      if (is_unnoted) await noteUses(trx, [problem]);
      const thread = epoch === null ? null : `${id}@${epoch}`;
      return { reported_at, is_past, is_held, opened_at, problem: id, thread, name: appName(found) };
    }
  }
}

/** The most past openings that are kept of a problem. */
export const maxOpenings = 100;

/** SQL of the present opening of a problem that is found resolved at a time. */
export function pastOpening(problem: string, resolvedAt: string): string {
  return `jsonb_build_object(
    'opened_at', ${isoTime(`${problem}.opened_at`)},
    'resolved_at', ${isoTime(`greatest(${resolvedAt}, ${problem}.opened_at)`)},
    'severity', ${problem}.severity
  )`;
}

/** SQL of the past openings of a problem that is resolved, with its present one. */
const resolvedOpenings = `(
  CASE WHEN jsonb_array_length(former.past_openings) >= ${maxOpenings} THEN former.past_openings - 0
    ELSE coalesce(former.past_openings, '[]') END
  || ${pastOpening("former", measuredAt("excluded"))}
)`;

/**
 * Returns no row if the target is unknown. Stores nothing if the target was retired or merged since the statement
 * began.
 */
const upsert = `
  WITH moment AS MATERIALIZED (
    SELECT now, CASE WHEN measured_at < now THEN measured_at END AS measured_at, ${outOfRange("400")} AS out_of_range
    FROM (SELECT clock_timestamp() AS now, ?::timestamptz AS measured_at) AS sent
  ),
  target AS MATERIALIZED (
    SELECT known.* FROM (SELECT ?::text, ?::text, ?::text, ?::text) AS sent (area, team, app, env)
    CROSS JOIN LATERAL (${knownTarget}) AS known
    WHERE retired IS NOT NULL OR target_id IS NOT NULL
  ),
  held AS (
    SELECT targets.id FROM targets JOIN applications ON applications.id = application_id
    WHERE targets.id = (SELECT target_id FROM target) AND targets.retired_at IS NULL AND applications.retired_at IS NULL
    FOR SHARE
  ),
  later AS (
    SELECT id, now AS reported_at, opened_at, true AS is_past FROM problems AS former, moment
    WHERE target_id = (SELECT target_id FROM target) AND problem_type = ?::text
      AND moment.measured_at < ${measuredAt("former")}
  ),
  saved AS (
    INSERT INTO problems AS former
      (target_id, problem_type, severity, count, details, chat_channel, opened_at, reported_at, measured_at)
    SELECT target_id, ?::text, ?::text, ?::int, ?::jsonb, ?::text, CASE WHEN ?::int > 0 THEN coalesce(measured_at, now) END,
      now, measured_at
    FROM moment, target, held
    WHERE retired IS NULL AND out_of_range IS NULL
    ON CONFLICT (target_id, problem_type) DO UPDATE SET
      severity = excluded.severity,
      count = excluded.count,
      details = excluded.details,
      chat_channel = excluded.chat_channel,
      opened_at = CASE
        WHEN excluded.count > 0 THEN coalesce(
          former.opened_at, greatest(excluded.opened_at, ${measuredAt("former")})
        )
      END,
      past_openings = CASE
        WHEN excluded.count = 0 AND former.opened_at IS NOT NULL THEN ${resolvedOpenings}
        ELSE former.past_openings
      END,
      reported_at = greatest(excluded.reported_at, former.reported_at),
      measured_at = excluded.measured_at
    WHERE excluded.measured_at IS NULL OR excluded.measured_at >= ${measuredAt("former")}
    RETURNING id, reported_at, opened_at
  )
  SELECT is_unnoted, is_held, retired, (SELECT out_of_range FROM moment) AS out_of_range, is_past, area, team, app, id::text, reported_at, opened_at, extract(epoch FROM opened_at)::text AS epoch
  FROM target LEFT JOIN (SELECT saved.*, false AS is_past FROM saved UNION ALL SELECT * FROM later) AS saved ON true
`;
