import type { Knex } from "knex";
import type { WaiverSubject } from "../model/waiver.ts";
import { within } from "./moving/applications.ts";

/** How much a waiver covers. */
export interface Coverage {
  /** The applications that reported or are registered, without retired ones. */
  readonly applications: number;
  /** Their stored scores; 0 if it waives a kind of problem. */
  readonly scores: number;
  /** Their open problems; 0 if it waives a scorecard or a metric. */
  readonly problems: number;
}

/** What a waiver would cover now, under the current name of its application, team or area. */
export async function coverageOf(knex: Knex, waiver: WaiverSubject): Promise<Coverage> {
  const { area, team, app, env, scorecard, metric, problem_type } = waiver;
  const scope = within({ area, ...(team !== undefined && { team }), ...(app !== undefined && { app }) });
  const inScope = `${scope.sql} AND (?::text IS NULL OR env = ?::text)`;
  const ofScope = [...scope.values, env ?? null, env ?? null];
  const { rows } = await knex.raw(
    `
    SELECT (
      SELECT count(*)::int FROM applications
      WHERE ${scope.sql} AND retired_at IS NULL AND (
        registered_at IS NOT NULL AND ?::text IS NULL OR EXISTS (
          SELECT FROM targets
          WHERE application_id = applications.id AND (?::text IS NULL OR env = ?::text) AND targets.retired_at IS NULL
        )
      )
    ) AS applications, (
      SELECT count(*)::int FROM scores_by_name
      WHERE ${inScope} AND scorecard = ?::text AND (?::text IS NULL OR metric = ?::text)
    ) AS scores, (
      SELECT count(*)::int FROM problems_by_name WHERE ${inScope} AND problem_type = ?::text AND count > 0
    ) AS problems
    `,
    [
      ...[...scope.values, env ?? null, env ?? null, env ?? null],
      ...[...ofScope, scorecard ?? null, metric ?? null, metric ?? null],
      ...[...ofScope, problem_type ?? null],
    ],
  );
  return rows[0];
}
