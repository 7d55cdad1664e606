import { type AppScore, rollUp, type ScoreRecord, type Target } from "@maturity/core";
import type { Knex } from "knex";
import sql, { empty } from "sql-template-tag";
import { type AppName, appKey } from "../model/app-name.ts";
import { createExemptions, type Judged, recordedExemptions } from "../rollups/exemptions.ts";
import { targetId } from "../rollups/reported-apps.ts";
import type { OrganisationRules } from "../rollups/rules.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import { registeredApps } from "../store/apps.ts";
import { query } from "../store/sql.ts";
import { type StoredWaiver, scoreWaivers, waiverColumns } from "../store/waivers.ts";

/** Few rows at a time, so that making objects of them delays no request for long. */
const pageRows = 500;

/**
 * SQL of the scores that there were at a time. Scores without a later change need no look-up. With `HISTORY_DAYS=0` only the
 * last change of a score is known.
 */
const scoresAt = (time: string, targets: readonly number[] | undefined) => sql`
  DECLARE page NO SCROLL CURSOR FOR
  SELECT * FROM (
    SELECT area, team, app, env, scorecard, metric, measured_at AS reported_at,
      (CASE
        WHEN changed_at <= ${time}::timestamptz THEN scores.score
        WHEN later.at IS NULL THEN former_score
        ELSE later.former
      END)::float8 AS score
    FROM scores_by_name AS scores LEFT JOIN LATERAL (
      SELECT at, former FROM score_changes
      WHERE changed_at > ${time}::timestamptz AND at > ${time}::timestamptz
        AND (score_changes.target_id, score_changes.metric_id) = (scores.target_id, scores.metric_id)
      ORDER BY at
      LIMIT 1
    ) AS later ON true
    ${targets ? sql`WHERE target_id = ANY (${targets}::int[])` : empty}
  ) AS past
  WHERE score IS NOT NULL
  ORDER BY area, team, app, env
`;

/** The applications of a day that is written again. */
export interface Again {
  readonly targets: readonly number[];
  /** The metrics from which the recorded roll-up of an application was exempt, if it has one. */
  readonly exemptOf: (app: Target) => string | undefined;
}

/** The roll-up of an application at a time. */
export interface PastRollUp extends AppScore {
  /** The metrics from which it was exempt; null if there were none. */
  readonly exempt_metrics: string | null;
}

/**
 * The roll-up of each application at a time, with the waivers of that time and the weights of these rules. It is exempt from what
 * was recorded, or else from what these rules exempt its tier and labels of today from. Only the scores of one application are in
 * memory.
 *
 * @param trx a transaction, for the cursor
 * @param again only of these; of all by default
 */
export async function appsAt(
  trx: Knex,
  { scorecards, applies = [] }: OrganisationRules,
  at: Date,
  again?: Again,
): Promise<PastRollUp[]> {
  const { rows: stored }: { rows: StoredWaiver[] } = await trx.raw(scoreWaivers(waiverColumns, at));
  const waiversOf = waiversByScope(stored);
  const judged = applies.length > 0 ? await readJudged(trx) : new Map<string, Judged>();
  const exemptionsOf = createExemptions({ scorecards, applies }, at);
  const apps: PastRollUp[] = [];
  let scores: ScoreRecord[] = [];
  const close = () => {
    if (scores[0]) {
      const recorded = again?.exemptOf(scores[0]);
      const { inOrder, metrics } =
        recorded === undefined
          ? exemptionsOf(scores[0].env, judged.get(appKey(scores[0])))
          : recordedExemptions(recorded, scorecards);
      const exempt = inOrder.filter((one) => one !== undefined);
      const { apps: rolled } = rollUp(scorecards, scores, at, waiversOf(scores[0]), () => exempt);
      for (const app of rolled) apps.push({ ...app, exempt_metrics: metrics || null });
    }
    scores = [];
  };
  await query(trx)`${scoresAt(at.toISOString(), again?.targets)}`;
  for (;;) {
    const { rows }: { rows: ScoreRecord[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
    for (const row of rows) {
      if (scores[0] && targetId(scores[0]) !== targetId(row)) close();
      scores.push(row);
    }
    if (rows.length < pageRows) break;
  }
  close();
  await trx.raw("CLOSE page");
  return apps;
}

/** The registered applications, by their names in one text. */
async function readJudged(trx: Knex): Promise<ReadonlyMap<string, Judged>> {
  const { rows } = await trx.raw(`SELECT area, team, app, tier, labels FROM ${registeredApps}`);
  return new Map(rows.map((row: AppName & Judged) => [appKey(row), row]));
}
