import type { Knex } from "knex";
import { insertChanges } from "./score-changes.ts";
import { type Change, type Filled, fillIn, type PastEvidence } from "./score-line.ts";
import { daysThrough, microsOf, timeOfMicros } from "./utc.ts";

/** Dated evidence of a score that is stored. */
export interface DatedEvidence {
  readonly target_id: number;
  readonly metric_id: number;
  /** As RFC 3339. */
  readonly measured_at: string;
  readonly score: number;
  readonly scorer: string;
  /** Whether later evidence is stored. */
  readonly is_past: boolean;
}

const sentKeys = `(SELECT DISTINCT target_id, metric_id FROM json_to_recordset(?::json) AS sent (target_id int, metric_id smallint))`;

/**
 * Writes past evidence into the history of its scores, and notes the days whose roll-ups it changes.
 *
 * @param trx the transaction that holds the rows of these scores
 */
export async function recordPast(trx: Knex, evidence: readonly DatedEvidence[]): Promise<void> {
  if (evidence.length === 0) return;
  const sent = JSON.stringify(evidence);
  const lines = await readLines(trx, sent);
  const changed: Line[] = [];
  const rewritten: Rewritten[] = [];
  for (const [key, { times, ...line }] of lines) {
    let filled: Filled = { changes: line.before };
    const past = times.flatMap(({ at, index }) => {
      const one = evidence[index];
      if (!one?.is_past) return [];
      return [{ at, score: one.score, scorer: one.scorer } satisfies PastEvidence];
    });
    for (const one of inOrder(past, line.before[0]?.at ?? Number.NEGATIVE_INFINITY)) {
      filled = fillIn(filled.changes, one);
      if (filled.rewritten) rewritten.push({ target_id: line.target_id, ...filled.rewritten });
    }
    if (filled.changes !== line.before) changed.push({ ...line, after: filled.changes });
    // Evidence that counts now changed the days since its time.
    const { changedAt } = line;
    const first = times.find(({ index, at }) => evidence[index]?.is_past === false && changedAt >= at);
    if (first) rewritten.push({ target_id: line.target_id, from: changedAt, to: null });
    lines.delete(key);
  }
  if (changed.length > 0) await writeLines(trx, changed);
  if (rewritten.length > 0) await markDays(trx, rewritten);
}

/**
 * Evidence in an order in which none makes other evidence look like a time that is known already. What is before the first
 * change begins with the latest: an earlier result of the same score would extend that change over all between them.
 */
function inOrder(past: readonly PastEvidence[], first: number): PastEvidence[] {
  const sorted = [...past].sort((a, b) => a.at - b.at);
  const before = sorted.filter(({ at }) => at < first);
  return [...before.reverse(), ...sorted.filter(({ at }) => at >= first)];
}

interface StoredLine {
  readonly target_id: number;
  readonly metric_id: number;
  readonly changedAt: number;
  readonly before: readonly Change[];
  /** The times of the evidence, with its index. */
  readonly times: readonly { readonly at: number; readonly index: number }[];
}

interface Line extends Pick<StoredLine, "target_id" | "metric_id" | "before"> {
  readonly after: readonly Change[];
}

interface Rewritten {
  readonly target_id: number;
  readonly from: number;
  /** Null if it goes on. */
  readonly to: number | null;
}

/** A change as a row in text form, because microseconds since 1970 come as bigint. */
type ChangeRow = { readonly target_id: number; readonly metric_id: number } & Readonly<Record<string, string | null>>;

async function readLines(trx: Knex, sent: string): Promise<Map<string, StoredLine>> {
  const { rows: current } = await trx.raw(
    `
    SELECT target_id, metric_id, ${microsOf("changed_at")} AS at, ${microsOf("former_at")} AS former_at,
      former_score AS former, score, scorer, changed_by AS cause
    FROM scores JOIN ${sentKeys} AS keys USING (target_id, metric_id)
    `,
    [sent],
  );
  const { rows: times } = await trx.raw(
    `
    SELECT ordinality - 1 AS index, (value->>'target_id')::int AS target_id, (value->>'metric_id')::int AS metric_id,
      ${microsOf("(value->>'measured_at')::timestamptz")} AS at
    FROM json_array_elements(?::json) WITH ORDINALITY
    `,
    [sent],
  );
  const { rows: changes } = await trx.raw(
    `
    SELECT target_id, metric_id, ${microsOf("at")} AS at, ${microsOf("former_at")} AS former_at, former, score, scorer, cause
    FROM score_changes JOIN ${sentKeys} AS keys USING (target_id, metric_id)
    ORDER BY score_changes.at
    `,
    [sent],
  );
  const keyOf = ({ target_id, metric_id }: { target_id: unknown; metric_id: unknown }) => `${target_id} ${metric_id}`;
  const changesOf = Map.groupBy(changes as ChangeRow[], keyOf);
  const timesOf = Map.groupBy(times as ChangeRow[], keyOf);
  return new Map(
    (current as ChangeRow[]).map((row) => {
      const stored = changesOf.get(keyOf(row)) ?? [row]; // the history may have begun after the last change
      return [
        keyOf(row),
        {
          target_id: row.target_id,
          metric_id: row.metric_id,
          changedAt: Number(row.at),
          before: stored.map(changeOf),
          times: (timesOf.get(keyOf(row)) ?? []).map(({ at, index }) => ({ at: Number(at), index: Number(index) })),
        },
      ];
    }),
  );
}

function changeOf({ at, former_at, former, score, scorer, cause }: ChangeRow): Change {
  return {
    at: Number(at),
    formerAt: former_at === null ? null : Number(former_at),
    former: former === null ? null : Number(former),
    score: Number(score),
    scorer: String(scorer),
    cause: cause as Change["cause"],
  };
}

/** Writes the changes that differ from those before, and the last one into the score too. */
async function writeLines(trx: Knex, lines: readonly Line[]): Promise<void> {
  const gone: object[] = [];
  const made: object[] = [];
  for (const { target_id, metric_id, before, after } of lines) {
    const [old, current, last] = [new Set(before), new Set(after), after.at(-1)];
    gone.push(...before.filter((change) => !current.has(change)).map(({ at }) => ({ target_id, metric_id, at })));
    for (const change of after) {
      if (old.has(change)) continue;
      const { formerAt: former_at, ...values } = change;
      made.push({ target_id, metric_id, former_at, ...values, is_last: change === last });
    }
  }
  const key = "target_id int, metric_id smallint, at bigint";
  await trx.raw(
    `
    DELETE FROM score_changes USING json_to_recordset(?::json) AS gone (${key})
    WHERE (score_changes.target_id, score_changes.metric_id) = (gone.target_id, gone.metric_id)
      AND score_changes.at = ${timeOfMicros("gone.at")}
    `,
    [JSON.stringify(gone)],
  );
  await trx.raw(
    `
    WITH made AS MATERIALIZED (
      SELECT target_id, metric_id, ${timeOfMicros("at")} AS changed_at, ${timeOfMicros("former_at")} AS former_at, former AS former_score,
        score, scorer, cause AS changed_by, is_last
      FROM json_to_recordset(?::json) AS made (
        ${key}, former_at bigint, former numeric, score numeric, scorer text, cause text, is_last boolean
      )
    ),
    recorded AS (${insertChanges} FROM made)
    UPDATE scores AS target
    SET changed_at = made.changed_at, former_at = made.former_at, former_score = made.former_score, changed_by = made.changed_by
    FROM made
    WHERE is_last AND (target.target_id, target.metric_id) = (made.target_id, made.metric_id)
    `,
    [JSON.stringify(made)],
  );
}

/** Marks the recorded days that begin within these times: they are computed anew. */
async function markDays(trx: Knex, rewritten: readonly Rewritten[]): Promise<void> {
  await trx.raw(
    `
    INSERT INTO roll_ups_again (day, target_id)
    SELECT DISTINCT days.day, target_id
    FROM roll_ups_until, (
      SELECT target_id, ${timeOfMicros('"from"')} AS since, coalesce(${timeOfMicros('"to"')}, 'infinity') AS until
      FROM json_to_recordset(?::json) AS sent (target_id int, "from" bigint, "to" bigint)
    ) AS rewritten, LATERAL (${daysThrough("since", "until", "roll_ups_until.day")}) AS days
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
    `,
    [JSON.stringify(rewritten)],
  );
}
