import type { Fact } from "../model/fact.ts";

/** Current names that a fact is about. */
export type Names = Partial<Pick<Fact, "area" | "team" | "app" | "env">>;

/**
 * SQL of the current names that a row of the outbox is about, as an object: those of its problem, else those of its
 * application; null if it is about none.
 */
export function currentNames(row: string): string {
  return `CASE
    WHEN ${row}.problem_id IS NOT NULL THEN (
      SELECT jsonb_build_object('area', area, 'team', team, 'app', app, 'env', env)
      FROM problems JOIN targets ON targets.id = target_id JOIN applications ON applications.id = targets.application_id
      WHERE problems.id = ${row}.problem_id
    )
    WHEN ${row}.application_id IS NOT NULL THEN (
      SELECT jsonb_build_object('area', area, 'team', team, 'app', app) FROM applications
      WHERE applications.id = ${row}.application_id
    )
  END`;
}

/** A stored fact with the names of this moment, so that a renamed application is announced by its new name. */
export function factWithNames(fact: Fact, names: Names | null): Fact {
  return { ...fact, ...names };
}
