import { raw, type Sql } from "sql-template-tag";

/**
 * SQL of the fact of a row of the outbox with the names of this moment, so that a renamed application is announced by its new
 * name: those of its problem, else those of its application.
 */
export function currentFact(row: string): Sql {
  return raw(`(${row}.fact || coalesce(CASE
    WHEN ${row}.problem_id IS NOT NULL THEN (
      SELECT jsonb_build_object('area', area, 'team', team, 'app', app, 'env', env)
      FROM problems JOIN targets ON targets.id = target_id JOIN applications ON applications.id = targets.application_id
      WHERE problems.id = ${row}.problem_id
    )
    WHEN ${row}.application_id IS NOT NULL THEN (
      SELECT jsonb_build_object('area', area, 'team', team, 'app', app) FROM applications
      WHERE applications.id = ${row}.application_id
    )
  END, '{}'))`);
}
