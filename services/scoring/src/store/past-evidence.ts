import type { Knex } from "knex";
import sql, { raw, type Sql } from "sql-template-tag";
import { insertChanges, measuredAt } from "./score-changes.ts";
import { type Change, fillIn, type PastEvidence, type ScoreLine } from "./score-line.ts";
import { query } from "./sql.ts";
import { dayOf, daysThrough, microsOf, timeOfMicros } from "./utc.ts";

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

/** SQL of the sent scores, each with the times of its first and its last evidence. */
const keysOf = (sent: string) => sql`(
  SELECT target_id, metric_id, min(measured_at) AS since, max(measured_at) AS until
  FROM json_to_recordset(${sent}::json) AS sent (target_id int, metric_id smallint, measured_at timestamptz)
  GROUP BY target_id, metric_id
)`;

/**
 * SQL of the rows of a table about the sent scores that are near the sent evidence: those of its time, the last before, and
 * the first after. A long past is not read again for each result.
 */
const near = (keys: Sql, table: Sql, columns: string) => sql`
  SELECT near.*
  FROM ${keys} AS keys CROSS JOIN LATERAL (
    SELECT target_id, metric_id, ${raw(columns)} FROM ${table} AS one
    WHERE (one.target_id, one.metric_id) = (keys.target_id, keys.metric_id)
      AND one.at >= coalesce((
        SELECT max(before.at) FROM ${table} AS before
        WHERE (before.target_id, before.metric_id) = (keys.target_id, keys.metric_id) AND before.at < since
      ), '-infinity')
      AND one.at <= coalesce((
        SELECT min(later.at) FROM ${table} AS later
        WHERE (later.target_id, later.metric_id) = (keys.target_id, keys.metric_id) AND later.at > until
      ), 'infinity')
  ) AS near
  ORDER BY target_id, metric_id, at
`;

/**
 * Writes past evidence into the history of its scores, and notes the days whose roll-ups it changes.
 *
 * @param trx the transaction that holds the rows of these scores
 */
export async function recordPast(trx: Knex, evidence: readonly DatedEvidence[]): Promise<void> {
  if (evidence.length === 0) return;
  const changed: ChangedLine[] = [];
  const rewritten: Rewritten[] = [];
  for (const stored of await readLines(trx, JSON.stringify(evidence))) {
    const { target_id, metric_id, line: before, changedAt, measuredAt } = stored;
    // Of several results of one time the later arrival counts.
    const results = new Map(stored.times.flatMap(({ at, index }) => (evidence[index] ? [[at, evidence[index]]] : [])));
    const past = [...results].flatMap(([at, { is_past, score, scorer }]) =>
      is_past && at < measuredAt ? [{ at, score, scorer } satisfies PastEvidence] : [],
    );
    const [[latestAt] = []] = [...results].filter(([, { is_past }]) => !is_past);
    const filled = fillIn(
      before,
      past.toSorted((a, b) => a.at - b.at),
      latestAt,
    );
    changed.push({
      target_id,
      metric_id,
      before,
      after: filled.line,
      isWhole: before.changes.at(-1)?.at === changedAt,
    });
    rewritten.push(...filled.rewritten.map((times) => ({ target_id, ...times })));
    // Evidence that counts now changed the days since its time.
    if (latestAt !== undefined && changedAt >= latestAt) rewritten.push({ target_id, from: changedAt, to: null });
  }
  await writeLines(trx, changed);
  if (rewritten.length > 0) await markDays(trx, rewritten);
}

interface StoredLine {
  readonly target_id: number;
  readonly metric_id: number;
  readonly changedAt: number;
  readonly measuredAt: number;
  /** What is near the evidence: the rest of the line, or its part until a change after the evidence. */
  readonly line: ScoreLine;
  /** The times of the evidence, with its index, in the order of their arrival. */
  readonly times: readonly { readonly at: number; readonly index: number }[];
}

interface ChangedLine extends Pick<StoredLine, "target_id" | "metric_id"> {
  readonly before: ScoreLine;
  readonly after: ScoreLine;
  /** Whether the last change is that of the score. */
  readonly isWhole: boolean;
}

interface Rewritten {
  readonly target_id: number;
  readonly from: number;
  /** Null if it goes on. */
  readonly to: number | null;
}

/** A change as a row in text form, because microseconds since 1970 come as bigint. */
type ChangeRow = { readonly target_id: number; readonly metric_id: number } & Readonly<Record<string, string | null>>;

const changeColumns = `${microsOf("at")} AS at, ${microsOf("former_at")} AS former_at, former, score, scorer, cause`;

/** Reads the part of each line that is near the evidence. */
async function readLines(trx: Knex, sent: string): Promise<StoredLine[]> {
  const keys = keysOf(sent);
  const current = await query(trx)`
    SELECT target_id, metric_id, ${raw(microsOf(measuredAt("scores")))} AS measured,
      ${raw(microsOf("changed_at"))} AS at, ${raw(microsOf("former_at"))} AS former_at,
      former_score AS former, score, scorer, changed_by AS cause
    FROM scores JOIN ${keys} AS keys USING (target_id, metric_id)
  `;
  const times = await query(trx)`
    SELECT ordinality - 1 AS index, (value->>'target_id')::int AS target_id, (value->>'metric_id')::int AS metric_id,
      ${raw(microsOf("(value->>'measured_at')::timestamptz"))} AS at
    FROM json_array_elements(${sent}::json) WITH ORDINALITY
    ORDER BY ordinality
  `;
  const changes = await query(trx)`${near(keys, sql`score_changes`, changeColumns)}`;
  const confirmed = await query(trx)`${near(keys, sql`score_confirmations`, `${microsOf("at")} AS at`)}`;
  const keyOf = ({ target_id, metric_id }: { target_id: unknown; metric_id: unknown }) => `${target_id} ${metric_id}`;
  const changesOf = Map.groupBy(changes as ChangeRow[], keyOf);
  const timesOf = Map.groupBy(times as ChangeRow[], keyOf);
  const confirmedOf = Map.groupBy(confirmed as ChangeRow[], keyOf);
  return (current as ChangeRow[]).map((row) => {
    const key = keyOf(row);
    const stored = changesOf.get(key) ?? [row]; // the history may have begun after the last change
    const changedAt = Number(row.at);
    const measuredAt = Number(row.measured);
    return {
      target_id: row.target_id,
      metric_id: row.metric_id,
      ...{ changedAt, measuredAt },
      line: {
        changes: stored.map(changeOf),
        confirmed: (confirmedOf.get(key) ?? []).map(({ at }) => Number(at)),
        measuredAt: Number(stored.at(-1)?.at) === changedAt ? measuredAt : null,
      },
      times: (timesOf.get(key) ?? []).map(({ at, index }) => ({ at: Number(at), index: Number(index) })),
    };
  });
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

/** Writes what differs from the lines before, and the last change of each into the score too. */
async function writeLines(trx: Knex, lines: readonly ChangedLine[]): Promise<void> {
  const [gone, made, last, forgotten, confirmed]: object[][] = [[], [], [], [], []];
  for (const { target_id, metric_id, before, after, isWhole } of lines) {
    const key = { target_id, metric_id };
    const [old, current] = [new Set(before.changes.map(textOf)), new Set(after.changes.map(textOf))];
    const columns = ({ formerAt: former_at, ...values }: Change) => ({ ...key, former_at, ...values });
    gone?.push(...before.changes.filter((one) => !current.has(textOf(one))).map(({ at }) => ({ ...key, at })));
    made?.push(...after.changes.filter((one) => !old.has(textOf(one))).map(columns));
    const [was, is] = [before.changes.at(-1), after.changes.at(-1)];
    if (isWhole && was && is && textOf(was) !== textOf(is)) last?.push(columns(is));
    const [known, now] = [new Set(before.confirmed), new Set(after.confirmed)];
    forgotten?.push(...before.confirmed.filter((at) => !now.has(at)).map((at) => ({ ...key, at })));
    confirmed?.push(...after.confirmed.filter((at) => !known.has(at)).map((at) => ({ ...key, at })));
  }
  for (const [statement, rows] of [
    [removed("score_changes"), gone],
    [`${insertChanges} FROM (${changeRows}) AS made`, made],
    [lastChange, last],
    [removed("score_confirmations"), forgotten],
    [`INSERT INTO score_confirmations (target_id, metric_id, at) ${timeRows} ON CONFLICT DO NOTHING`, confirmed],
  ] as const) {
    if (rows && rows.length > 0) await trx.raw(statement, [JSON.stringify(rows)]);
  }
}

const textOf = (change: Change): string => JSON.stringify(Object.entries(change).sort());

const key = "target_id int, metric_id smallint, at bigint";

const timeRows = `
  SELECT target_id, metric_id, ${timeOfMicros("at")} AS at FROM json_to_recordset(?::json) AS sent (${key})
`;

const removed = (table: "score_changes" | "score_confirmations") => `
  DELETE FROM ${table} USING (${timeRows}) AS gone
  WHERE (${table}.target_id, ${table}.metric_id, ${table}.at) = (gone.target_id, gone.metric_id, gone.at)
`;

const changeRows = `
  SELECT target_id, metric_id, ${timeOfMicros("at")} AS changed_at, ${timeOfMicros("former_at")} AS former_at,
    former AS former_score, score, scorer, cause AS changed_by
  FROM json_to_recordset(?::json) AS sent (
    ${key}, former_at bigint, former numeric, score numeric, scorer text, cause text
  )
`;

const lastChange = `
  UPDATE scores AS target
  SET changed_at = made.changed_at, former_at = made.former_at, former_score = made.former_score, changed_by = made.changed_by
  FROM (${changeRows}) AS made
  WHERE (target.target_id, target.metric_id) = (made.target_id, made.metric_id)
`;

/**
 * Marks the days until today that begin within these times: they are computed anew. Somebody may be writing the last one at this
 * moment, without this evidence.
 */
async function markDays(trx: Knex, rewritten: readonly Rewritten[]): Promise<void> {
  const last = `greatest(roll_ups_until.day, ${dayOf("clock_timestamp()")})`;
  await query(trx)`
    INSERT INTO roll_ups_again (day, target_id)
    SELECT DISTINCT days.day, target_id
    FROM roll_ups_until, (
      SELECT target_id, ${raw(timeOfMicros('"from"'))} AS since,
        coalesce(${raw(timeOfMicros('"to"'))}, 'infinity') AS until
      FROM json_to_recordset(${JSON.stringify(rewritten)}::json) AS sent (target_id int, "from" bigint, "to" bigint)
    ) AS rewritten, LATERAL (${raw(daysThrough("since", "until", last))}) AS days
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING
  `;
}
