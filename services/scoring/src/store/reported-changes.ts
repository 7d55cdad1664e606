import type { Knex } from "knex";
import type { Lines } from "./lines.ts";
import { query } from "./sql.ts";
import { readRows } from "./text-rows.ts";
import { millisOf } from "./utc.ts";

/** Notes that the level of the application of a problem may have changed, in the transaction that stores the problem. */
export async function noteProblem(trx: Knex, problem: string): Promise<void> {
  await query(trx)`
    INSERT INTO reported_changes (target_id) SELECT target_id FROM problems WHERE id = ${problem}::bigint
  `;
}

/** Notes that the levels of these targets may have changed. */
export async function noteTargets(trx: Knex, targets: readonly number[]): Promise<void> {
  await query(trx)`INSERT INTO reported_changes (target_id) SELECT * FROM unnest(${targets}::int[])`;
}

/** A noted change. */
export interface ReportedChange {
  readonly id: string;
  /** Equal for what changed together. */
  readonly transaction: string;
  readonly target: number;
  /** As `scorecard.metric`; null if only the level may have changed. */
  readonly metric: string | null;
  /** The score before; null for the first one. */
  readonly former: number | null;
  /** When the evidence before was measured, in milliseconds since 1970. */
  readonly formerAt: number;
  readonly score: number;
  readonly isSilent: boolean;
}

/** How many rows are looked at to choose the next targets. */
const lookRows = 2_000;

/** What is noted longer ago is announced no more, in hours. */
const keptHours = 24;

/** Reads what is noted of the targets that wait longest, in its order. */
export async function readChanges(lines: Lines): Promise<ReportedChange[]> {
  const changes: ReportedChange[] = [];
  const select = `
    SELECT reported_changes.id, transaction, target_id, scorecard || '.' || metric, former,
      ${millisOf("former_at")}, score,
      is_silent OR noted_at < now() - make_interval(hours => ${keptHours})
    FROM reported_changes LEFT JOIN metrics ON metrics.id = metric_id
    WHERE target_id IN (
      SELECT target_id FROM (SELECT target_id FROM reported_changes ORDER BY id LIMIT ${lookRows}) AS oldest
    )
    ORDER BY reported_changes.id`;
  for await (const rows of readRows(lines(select))) {
    for (const [id = "", transaction = "", target, metric, former, formerAt, score, isSilent = ""] of rows) {
      const scores = { former: former ? Number(former) : null, formerAt: Number(formerAt), score: Number(score) };
      const of = { id, transaction, target: Number(target), metric: metric || null };
      changes.push({ ...of, ...scores, isSilent: /^t/.test(isSilent) });
    }
  }
  return changes;
}

/**
 * Takes what was read, so that no other instance announces it. The caller holds the comparison.
 *
 * @returns false if another instance has taken any of it; then nothing is taken
 */
export async function takeChanges(trx: Knex, changes: readonly ReportedChange[]): Promise<boolean> {
  const ids = changes.map(({ id }) => id);
  const [found] = await query(trx)`
    SELECT count(*)::int AS left FROM reported_changes WHERE id = ANY (${ids}::bigint[])
  `;
  if (found.left < ids.length) return false;
  await query(trx)`DELETE FROM reported_changes WHERE id = ANY (${ids}::bigint[])`;
  return true;
}
