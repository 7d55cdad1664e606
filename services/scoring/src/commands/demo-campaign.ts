import type { Knex } from "knex";
import sql, { raw } from "sql-template-tag";
import { insertCampaign, type StoredCampaign } from "../store/campaigns.ts";
import { query } from "../store/sql.ts";
import { asDay, firstMoment } from "../store/utc.ts";

const day = 86_400_000;

/** The goal of the campaign, and its days from now. */
const [scorecard, metric, min] = ["security", "image_scan", 60];
const [startedBefore, dueIn] = [45, 30];

const dayFrom = (now: Date, days: number) => new Date(now.getTime() + days * day).toISOString().slice(0, 10);

/** Makes a campaign that runs since a month and a half. */
export async function startDemoCampaign(knex: Knex, now: Date): Promise<StoredCampaign> {
  const starts = dayFrom(now, -startedBefore);
  const created_at = new Date(`${starts}T08:00:00Z`);
  return knex.transaction(async (trx) => {
    const stored = await insertCampaign(
      trx,
      {
        ...{ name: "Images that can be patched in a day", owner: "security office" },
        why: { text: "Two of the last three incidents began in an image with a known weakness.", url: null },
        ...{ scope: { env: ["prod"] }, goal: { metric: `${scorecard}.${metric}`, min } },
        ...{ starts, due: dayFrom(now, dueIn) },
      },
      { name: "Sonia Security", caller: "demo" },
    );
    const { id } = stored;
    await query(trx)`
      UPDATE campaigns SET created_at = ${created_at.toISOString()}::timestamptz WHERE id = ${id}::uuid
    `;
    return { ...stored, created_at };
  });
}

/** Records the progress of the campaign on each day by the history of the scores. */
export async function fillDemoCampaign(knex: Knex, id: string, now: Date): Promise<void> {
  const starts = dayFrom(now, -startedBefore);
  await knex.transaction(async (trx) => {
    const beginning = raw(firstMoment("day"));
    const isWaived = sql`
      EXISTS (
        SELECT FROM waivers
        WHERE created_at <= ${beginning} AND ends_at > ${beginning}
          AND waivers.scorecard = ${scorecard}::text AND coalesce(waivers.metric, ${metric}::text) = ${metric}::text
          AND coalesce(waivers.env, targets.env) = targets.env
          AND (waivers.application_id = applications.id
            OR waivers.area = applications.area AND coalesce(waivers.team, applications.team) = applications.team)
      )`;
    // A score was what it was before its first change afterwards, or what it is now.
    const past = sql`
      SELECT target_id, area, team, day, score >= ${min}::numeric AND NOT waived AS met, waived FROM (
        SELECT targets.id AS target_id, applications.area, applications.team, day, ${isWaived} AS waived,
          coalesce(CASE WHEN later.at IS NULL THEN scores.score ELSE later.former END, 0) AS score
        FROM targets JOIN applications ON applications.id = application_id
          JOIN metrics ON (scorecard, metric) = (${scorecard}::text, ${metric}::text)
          LEFT JOIN scores ON (scores.target_id, scores.metric_id) = (targets.id, metrics.id)
          CROSS JOIN (
            SELECT ${asDay(starts)} + number AS day FROM generate_series(0, ${startedBefore}::int) AS number
          ) AS days
          LEFT JOIN LATERAL (
            SELECT at, former FROM score_changes
            WHERE (score_changes.target_id, score_changes.metric_id) = (targets.id, metrics.id)
              AND at >= ${beginning} ORDER BY at LIMIT 1
          ) AS later ON true
        WHERE targets.env = 'prod' AND targets.retired_at IS NULL AND applications.retired_at IS NULL
      ) AS scored`;
    await query(trx)`
      INSERT INTO campaign_days (campaign_id, day, area, team, members, met, waived, exempt)
      SELECT ${id}::uuid, day, area, team, count(*), count(*) FILTER (WHERE met), count(*) FILTER (WHERE waived), 0
      FROM (${past}) AS past GROUP BY day, area, team
    `;
    await query(trx)`
      INSERT INTO campaign_members (campaign_id, target_id, joined, met_on)
      SELECT ${id}::uuid, target_id, NULL, min(day) FILTER (WHERE met) FROM (${past}) AS past GROUP BY target_id
    `;
    await query(trx)`UPDATE campaigns SET recorded = ${asDay(dayFrom(now, 0))} WHERE id = ${id}::uuid`;
  });
}
