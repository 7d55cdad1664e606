import { hash } from "node:crypto";
import type { Knex } from "knex";
import { labelSet } from "../model/label-set.ts";
import type { Problem } from "../model/problem.ts";
import { keyOf, rowId } from "./key.ts";

/** What the database adds to a stored problem. */
export interface StoredProblem {
  readonly reported_at: Date;
  /** Since when the problem has been open without a break; null while `count` is 0. */
  readonly opened_at: Date | null;
  /** Identifies the problem for ever. */
  readonly problem: string;
  /** Identifies the current opening, as `problem@epoch`, until the problem is resolved; null while `count` is 0. */
  readonly thread: string | null;
}

/** The id of a problem's row. */
export function problemId({ area, team, app, env, problem_type }: Problem): string {
  return rowId(area, keyOf([team, app, env, problem_type]));
}

/** SQL of the identity of a problem: what `saveProblem` returns as `problem`. It stays when the problem is renamed. */
export function identitySql(problem: string): string {
  return `coalesce(${problem}.identity, encode(sha256(convert_to(${problem}.area, 'UTF8') || ${problem}.key), 'hex'))`;
}

/** Stores a report in place of the problem's previous one. Times never go back. */
export async function saveProblem(knex: Knex, problem: Problem): Promise<StoredProblem> {
  const { area, team, app, env, problem_type, severity, count, details, chat_channel = null } = problem;
  const key = keyOf([team, app, env, problem_type]);
  const { rows } = await knex.raw(
    `
    WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
    saved AS (
      INSERT INTO problems AS former
        (area, team, app, env, problem_type, severity, count, details, chat_channel, opened_at, reported_at, key, labels)
      SELECT
        ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::int, ?::jsonb, ?::text,
        CASE WHEN ?::int > 0 THEN now END, now, ?::text::bytea, ?::text
      FROM moment
      ON CONFLICT (area, key) DO UPDATE SET
        severity = excluded.severity,
        count = excluded.count,
        details = excluded.details,
        chat_channel = excluded.chat_channel,
        opened_at = CASE
          WHEN excluded.count > 0 THEN coalesce(former.opened_at, greatest(excluded.opened_at, former.reported_at))
        END,
        reported_at = greatest(excluded.reported_at, former.reported_at),
        labels = excluded.labels
      RETURNING reported_at, opened_at, identity
    )
    SELECT reported_at, opened_at, extract(epoch FROM opened_at)::text AS epoch, identity FROM saved
    `,
    [
      ...[area, team, app, env, problem_type, severity, count, JSON.stringify(details), chat_channel, count],
      ...[key, labelSet({ area, team, app, env, problem_type, severity })],
    ],
  );
  const [{ reported_at, opened_at, epoch, identity }] = rows;
  const id =
    identity ?? hash("sha256", Buffer.concat([Buffer.from(area), Buffer.from(key.slice("\\x".length), "hex")]));
  return { reported_at, opened_at, problem: id, thread: epoch === null ? null : `${id}@${epoch}` };
}
