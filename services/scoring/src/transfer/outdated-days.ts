import type { Knex } from "knex";
import { firstMoment } from "../store/utc.ts";
import { everyScore } from "./merge-past.ts";

/**
 * Deletes the recorded roll-ups of days that the file has from a database that knew more, before anything is merged. A
 * database that has only a copy of an area records its days too, but without the reports that the other one gets. So of
 * two recordings that one counts which knew what happened up to its day. If neither knew everything, the one that is here
 * stays.
 *
 * Of reports that changed nothing only the time of the last one is known, so they count only if they are the file's.
 */
export async function dropOutdatedDays(trx: Knex): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE recorded_twice ON COMMIT DROP AS
    SELECT target_id, day, area, coalesce(imported.team, '') AS team, coalesce(imported.app, '') AS app, imported.env
    FROM imported_roll_up_days AS imported
      JOIN roll_up_targets AS target USING (area, key)
      JOIN roll_up_days USING (day)
    WHERE target_id = target.id
  `);
  const { rows } = await trx.raw("SELECT FROM recorded_twice LIMIT 1");
  if (rows.length === 0) return;
  await trx.raw(`
    CREATE TEMP TABLE differing ON COMMIT DROP AS
    WITH known_to_one AS (
      SELECT area, team, app, env, at AS file_since, NULL::timestamptz AS here_since
      FROM imported_score_changes AS imported
      WHERE area IN (SELECT area FROM recorded_twice) AND NOT EXISTS (
        SELECT FROM ${everyScore} AS scores JOIN score_changes ON score_id = id
        WHERE (scores.area, scores.key, score_changes.at) = (imported.area, imported.key, imported.at)
      )
      UNION ALL
      SELECT area, team, app, env, scores.reported_at, NULL::timestamptz
      FROM ${everyScore} AS scores JOIN (SELECT area, key, reported_at AS later FROM imported_scores) AS imported USING (area, key)
      WHERE area IN (SELECT area FROM recorded_twice) AND later > scores.reported_at
      UNION ALL
      SELECT area, team, app, env, NULL::timestamptz, at
      FROM ${everyScore} AS scores JOIN score_changes ON score_id = id
      WHERE area IN (SELECT area FROM recorded_twice) AND NOT EXISTS (
        SELECT FROM imported_score_changes AS imported
        WHERE (imported.area, imported.key, imported.at) = (scores.area, scores.key, score_changes.at)
      )
    )
    SELECT area, coalesce(team, '') AS team, coalesce(app, '') AS app, env,
      min(file_since) AS file_since, min(here_since) AS here_since
    FROM known_to_one
    GROUP BY GROUPING SETS ((area, env), (area, team, env), (area, team, app, env))
  `);
  // Autovacuum sees no temporary tables, and a plan for a few rows would compare each with each.
  for (const table of ["recorded_twice", "differing"]) await trx.raw(`ANALYZE ${table}`);
  await trx.raw(`
    DELETE FROM roll_up_days AS recorded
    USING recorded_twice AS twice JOIN differing USING (area, team, app, env)
    WHERE (recorded.target_id, recorded.day) = (twice.target_id, twice.day)
      AND file_since <= ${firstMoment("recorded.day")}
      AND (here_since <= ${firstMoment("recorded.day")}) IS NOT TRUE
  `);
}
