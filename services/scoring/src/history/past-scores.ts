import type { AppScore, Scorecard, ScoreRecord } from "@maturity/core";
import { rollUp } from "@maturity/core";
import type { Knex } from "knex";
import { idBy } from "../rollups/groups.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import { type StoredWaiver, scoreWaivers, waiverColumns } from "../store/waivers.ts";

/** Rows held at a time. Few, so that making objects of them delays no request for long. */
const pageRows = 500;

/**
 * The scores as they were at a time. Rows that have not changed since are not looked up. A change that is not recorded,
 * as with `HISTORY_DAYS=0`, is still known if it was the last one.
 */
const scoresAt = `
  DECLARE page NO SCROLL CURSOR FOR
  SELECT area, team, app, env, scorecard, metric, reported_at,
    (CASE
      WHEN changed_at <= ?::timestamptz THEN scores.score
      WHEN later.at IS NULL THEN former_score
      ELSE later.former
    END)::float8 AS score
  FROM scores_by_name AS scores LEFT JOIN LATERAL (
    SELECT at, former FROM score_changes
    WHERE changed_at > ?::timestamptz AND at > ?::timestamptz
      AND (score_changes.target_id, score_changes.metric_id) = (scores.target_id, scores.metric_id)
    ORDER BY at
    LIMIT 1
  ) AS later ON true
  ORDER BY area, team, app, env
`;

/**
 * The roll-up of each application at a time, with today's weights and the waivers of that time. The scores are read bit by
 * bit, and only those of one application are held.
 *
 * @param trx a transaction; a cursor lives in it
 */
export async function appsAt(trx: Knex, scorecards: readonly Scorecard[], at: Date): Promise<AppScore[]> {
  const time = at.toISOString();
  const { rows: stored }: { rows: StoredWaiver[] } = await trx.raw(scoreWaivers(waiverColumns, "?::timestamptz"), [
    time,
    time,
  ]);
  const waiversOf = waiversByScope(stored);
  const apps: AppScore[] = [];
  let own: ScoreRecord[] = [];
  const close = () => {
    if (own[0]) apps.push(...rollUp(scorecards, own, at, waiversOf(own[0])).apps);
    own = [];
  };
  await trx.raw(scoresAt, [time, time, time]);
  for (;;) {
    const { rows }: { rows: PastScore[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
    for (const row of rows) {
      if (!isScored(row)) continue;
      if (own[0] && idOf(own[0]) !== idOf(row)) close();
      own.push(row);
    }
    if (rows.length < pageRows) break;
  }
  close();
  await trx.raw("CLOSE page");
  return apps;
}

const idOf = idBy(["area", "team", "app", "env"]);

/** A score, or null where the metric had not reported yet. */
type PastScore = Omit<ScoreRecord, "score"> & { readonly score: number | null };

function isScored(row: PastScore): row is ScoreRecord {
  return row.score !== null;
}
