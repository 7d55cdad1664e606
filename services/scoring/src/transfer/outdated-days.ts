import type { Knex } from "knex";

/** Are the row of a recorded day and that of an imported one about the same? */
const isSame =
  "(recorded.target_id, recorded.day, target.area, target.key) = (target.id, imported.day, imported.area, imported.key)";

const midnight = "recorded.day::timestamp AT TIME ZONE 'UTC'";

/**
 * Deletes the recorded roll-ups of days that the file has from a database that knew more, before anything is merged. A
 * database that has only a copy of an area records its days too, but without the reports that the other one gets. So of
 * two recordings that one counts which knew what happened up to its day. If neither knew everything, the one that is here
 * stays.
 *
 * Of reports that changed nothing only the time of the last one is known, so they count only if they are the file's.
 */
export async function dropOutdatedDays(trx: Knex): Promise<void> {
  const { rows } = await trx.raw(
    `SELECT DISTINCT target.area
     FROM imported_roll_up_days AS imported, roll_up_targets AS target, roll_up_days AS recorded
     WHERE ${isSame}`,
  );
  if (rows.length === 0) return;
  const areas = rows.map(({ area }: { area: string }) => area);
  await trx.raw(
    `
    WITH known_to_one AS (
      SELECT area, team, app, env, at AS file_since, NULL::timestamptz AS here_since
      FROM imported_score_changes AS imported
      WHERE area = ANY(?::text[]) AND NOT EXISTS (
        SELECT FROM scores JOIN score_changes ON score_id = id
        WHERE (scores.area, scores.key, score_changes.at) = (imported.area, imported.key, imported.at)
      )
      UNION ALL
      SELECT area, team, app, env, scores.reported_at, NULL::timestamptz
      FROM scores JOIN (SELECT area, key, reported_at AS later FROM imported_scores) AS imported USING (area, key)
      WHERE area = ANY(?::text[]) AND later > scores.reported_at
      UNION ALL
      SELECT area, team, app, env, NULL::timestamptz, at
      FROM scores JOIN score_changes ON score_id = id
      WHERE area = ANY(?::text[]) AND NOT EXISTS (
        SELECT FROM imported_score_changes AS imported
        WHERE (imported.area, imported.key, imported.at) = (scores.area, scores.key, score_changes.at)
      )
    ),
    differing AS (
      SELECT area, coalesce(team, '') AS team, coalesce(app, '') AS app, env,
        min(file_since) AS file_since, min(here_since) AS here_since
      FROM known_to_one
      GROUP BY GROUPING SETS ((area, env), (area, team, env), (area, team, app, env))
    )
    DELETE FROM roll_up_days AS recorded
    USING roll_up_targets AS target, imported_roll_up_days AS imported, differing
    WHERE ${isSame}
      AND (differing.area, differing.env) = (target.area, target.env)
      AND (differing.team, differing.app) = (coalesce(target.team, ''), coalesce(target.app, ''))
      AND file_since <= ${midnight}
      AND (here_since <= ${midnight}) IS NOT TRUE
    `,
    [areas, areas, areas],
  );
}
