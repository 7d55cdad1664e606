import type { Knex } from "knex";
import sql from "sql-template-tag";
import type { WaiverSubject } from "../model/waiver.ts";
import { inSubtree } from "./conditions.ts";
import { query } from "./sql.ts";

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
  const { env, scorecard, metric, problem_type } = waiver;
  const scope = inSubtree(waiver);
  const isOfEnv = sql`(${env}::text IS NULL OR env = ${env}::text)`;
  const [coverage] = await query(knex)`
    SELECT (
      SELECT count(*)::int FROM applications
      WHERE ${scope} AND retired_at IS NULL AND (
        registered_at IS NOT NULL AND ${env}::text IS NULL OR EXISTS (
          SELECT FROM targets
          WHERE application_id = applications.id AND ${isOfEnv} AND targets.retired_at IS NULL
        )
      )
    ) AS applications, (
      SELECT count(*)::int FROM scores_by_name
      WHERE ${scope} AND ${isOfEnv} AND scorecard = ${scorecard}::text
        AND (${metric}::text IS NULL OR metric = ${metric}::text)
    ) AS scores, (
      SELECT count(*)::int FROM problems_by_name
      WHERE ${scope} AND ${isOfEnv} AND problem_type = ${problem_type}::text AND count > 0
    ) AS problems
  `;
  return coverage;
}
