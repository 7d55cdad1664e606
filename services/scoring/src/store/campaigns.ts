import type { Knex } from "knex";
import sql, { join, raw } from "sql-template-tag";
import type { CampaignFields, CampaignState } from "../model/campaign.ts";
import type { Grant } from "../model/grant.ts";
import { query } from "./sql.ts";
import { asDay, dayOf, firstMoment } from "./utc.ts";
import { now } from "./waivers.ts";

/** A stored campaign. */
export interface StoredCampaign extends CampaignFields {
  readonly id: string;
  /** Its state when the statement began that read it. */
  readonly state: CampaignState;
  readonly created_at: Date;
  readonly created_by: string;
  /** When it ended, by hand or by its date; null before. */
  readonly ended_at: Date | null;
  /** Null if it ended by its date. */
  readonly ended_by: string | null;
  /** The last day whose progress is recorded; null before the first. */
  readonly recorded: string | null;
  /** Another one after each write of the campaign, and so after whatever changes what is remembered of its members. */
  readonly version: string;
}

/** SQL of the day of the statement, in UTC. */
export const today: string = dayOf(now);

/** SQL of the state of a campaign when the statement begins. */
export const stateNow: string = `CASE
  WHEN archived_at IS NOT NULL THEN 'archived'
  WHEN ended_at IS NOT NULL OR due < ${today} THEN 'ended'
  WHEN starts <= ${today} THEN 'running'
  ELSE 'draft'
END`;

/** The columns of a `StoredCampaign`. */
const columns =
  raw(`id, name, why, owner, scope, goal, starts::text, due::text, ${stateNow} AS state, created_at, created_by,
  coalesce(ended_at, CASE WHEN due < ${today} THEN ${firstMoment("due + 1")} END) AS ended_at, ended_by, recorded::text,
  xmin::text AS version`);

/** The largest number of campaigns that are not archived: of all, and of a caller with bounds. */
export const maxCampaigns = { all: 500, caller: 50 } as const;

/** Reads the campaigns in these states, those that are due first at the front. */
export async function readCampaigns(knex: Knex, states: readonly CampaignState[]): Promise<StoredCampaign[]> {
  return query(knex)`
    SELECT ${columns} FROM campaigns WHERE ${raw(stateNow)} = ANY (${states}::text[]) ORDER BY due, name, id
  `;
}

/** Reads a campaign; undefined if there is none with this id. */
export async function readCampaign(
  knex: Knex,
  id: string,
  lock: "" | "FOR UPDATE" = "",
): Promise<StoredCampaign | undefined> {
  const [campaign] = await query(knex)`SELECT ${columns} FROM campaigns WHERE id = ${id}::uuid ${raw(lock)}`;
  return campaign;
}

/**
 * Whether there are as many campaigns as there may be, of all or of this caller. Nobody else makes any until the
 * transaction ends.
 */
export async function findFull(trx: Knex, caller: string): Promise<keyof typeof maxCampaigns | undefined> {
  await query(trx)`LOCK TABLE campaigns IN SHARE ROW EXCLUSIVE MODE`;
  const [found] = await query(trx)`
    SELECT count(*)::int AS "all", count(*) FILTER (WHERE creator = ${caller}::text)::int AS caller
    FROM campaigns WHERE archived_at IS NULL
  `;
  return (["all", "caller"] as const).find((whose) => found[whose] >= maxCampaigns[whose]);
}

const fieldNames = [
  "name",
  "why",
  "owner",
  "scope",
  "goal",
  "starts",
  "due",
] as const satisfies (keyof CampaignFields)[];

const rowOf = (fields: Partial<CampaignFields>) =>
  sql`jsonb_populate_record(NULL::campaigns, ${JSON.stringify(fields)}::jsonb) AS sent`;

/** Stores a campaign that a caller makes. */
export async function insertCampaign(
  trx: Knex,
  fields: CampaignFields,
  { name, caller }: Pick<Grant, "name" | "caller">,
): Promise<StoredCampaign> {
  const names = raw(fieldNames.join(", "));
  const [made] = await query(trx)`
    INSERT INTO campaigns (${names}, created_by, creator)
    SELECT ${names}, ${name}::text, ${caller}::text FROM ${rowOf(fields)}
    RETURNING id
  `;
  return (await readCampaign(trx, made.id)) as StoredCampaign;
}

/** The day of the database's clock, in UTC. */
export async function readToday(knex: Knex): Promise<string> {
  const [{ day }] = await query(knex)`SELECT ${raw(today)}::text AS day`;
  return day;
}

/** What to do with a campaign beside a change of its fields. */
export interface CampaignEnd {
  /** The name of the grant that ends it now. */
  readonly endedBy?: string | undefined;
  readonly archives?: boolean;
}

/** Changes fields of a campaign. With another last day its reminders are due again. */
export async function updateCampaign(
  trx: Knex,
  id: string,
  fields: Partial<CampaignFields>,
  { endedBy, archives = false }: CampaignEnd = {},
): Promise<StoredCampaign> {
  const changed = fieldNames.filter((field) => fields[field] !== undefined);
  const sets = changed.map((field) => raw(`${field} = sent.${field}`));
  if (fields.due !== undefined)
    sets.push(sql`notified = array_remove(array_remove(campaigns.notified, 'due.14'), 'due.3')`);
  if (endedBy !== undefined) sets.push(sql`ended_at = clock_timestamp(), ended_by = ${endedBy}::text`);
  if (archives) sets.push(sql`archived_at = clock_timestamp()`);
  await query(trx)`UPDATE campaigns SET ${join(sets, ", ")} FROM ${rowOf(fields)} WHERE campaigns.id = ${id}::uuid`;
  return (await readCampaign(trx, id)) as StoredCampaign; // the caller holds its lock
}

/** What is announced of a campaign, in this order: its start, 14 and 3 days before its last day, and its end. */
export const notices = ["started", "due.14", "due.3", "ended"] as const;

export type Notice = (typeof notices)[number];

/**
 * The notices whose time has come when the statement begins. A campaign may be archived before anybody looks for its end; one
 * that was archived longer than a day ago is announced no more.
 */
const noticesNow = raw(`CASE
  WHEN archived_at <= ${now} - interval '24 hours' OR ended_at IS NULL AND due >= ${dayOf("archived_at")} THEN '{}'
  WHEN archived_at IS NOT NULL OR ${stateNow} = 'ended' THEN ARRAY['started', 'due.14', 'due.3', 'ended']
  WHEN ${stateNow} = 'running' THEN ARRAY['started']
    || CASE WHEN due - ${today} <= 14 THEN ARRAY['due.14'] ELSE '{}' END
    || CASE WHEN due - ${today} <= 3 THEN ARRAY['due.3'] ELSE '{}' END
  ELSE '{}'
END`);

/** Reads the campaigns of which something is to be announced. */
export async function readUnannounced(knex: Knex): Promise<StoredCampaign[]> {
  return query(knex)`SELECT ${columns} FROM campaigns WHERE NOT (${noticesNow}) <@ notified ORDER BY due, name, id`;
}

/**
 * Notes what is announced of a campaign by this transaction. What came due together is one notice: a start says the last
 * day too, and an end leaves nothing to remind of.
 *
 * @returns undefined if there is nothing to announce any more
 */
export async function takeNotice(trx: Knex.Transaction, id: string): Promise<Notice | undefined> {
  const [campaign] = await query(trx)`
    SELECT ${noticesNow} AS due, notified FROM campaigns WHERE id = ${id}::uuid FOR UPDATE
  `;
  const { due, notified }: { due: Notice[]; notified: Notice[] } = campaign;
  const open = due.filter((notice) => !notified.includes(notice));
  if (open.length === 0) return undefined;
  await query(trx)`UPDATE campaigns SET notified = notified || ${open}::text[] WHERE id = ${id}::uuid`;
  return open.includes("ended") ? "ended" : open.includes("started") ? "started" : open.at(-1);
}

/** A member as the recording of a day finds it. */
export interface RecordedMember {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  /** Null of one that has reported nothing. */
  readonly env: string | null;
  readonly state: "met" | "left" | "waived" | "exempt";
}

/** Whether the progress of a running campaign is not recorded yet today. */
export async function isProgressDue(knex: Knex): Promise<boolean> {
  const [{ is_due }] = await query(knex)`
    SELECT EXISTS (
      SELECT FROM campaigns WHERE ${raw(stateNow)} = 'running' AND (recorded IS NULL OR recorded < ${raw(today)})
    ) AS is_due
  `;
  return is_due;
}

/** Members stored by one statement. */
const batchMembers = 2_000;

/**
 * Records the progress of a day of a campaign, and remembers its members: since when they belong to it, and when they met
 * the goal first. All or nothing.
 *
 * @returns false if another process has recorded the day, or the campaign ended meanwhile
 * @throws Error if an application moved since the members were read; then it is recorded by the next call
 */
export async function recordProgress(
  knex: Knex,
  id: string,
  day: string,
  members: readonly RecordedMember[],
): Promise<boolean> {
  return knex.transaction(async (trx) => {
    await query(trx)`SELECT FROM roll_ups_until FOR UPDATE`; // so that no application moves meanwhile, as for days
    const [known] = await query(trx)`SELECT recorded::text FROM campaigns WHERE id = ${id}::uuid FOR UPDATE`;
    const isFirst = known?.recorded === null;
    const claimed = await query(trx)`
      UPDATE campaigns SET recorded = ${asDay(day)}
      WHERE id = ${id}::uuid AND ${raw(stateNow)} = 'running' AND (recorded IS NULL OR recorded < ${asDay(day)})
      RETURNING id
    `;
    if (claimed.length === 0) return false;
    for (let first = 0; first < members.length; first += batchMembers) {
      await recordMembers(trx, { id, joined: isFirst ? null : day, day }, members.slice(first, first + batchMembers));
    }
    await query(trx)`
      INSERT INTO campaign_days (campaign_id, day, area, team, members, met, waived, exempt)
      SELECT ${id}::uuid, ${asDay(day)}, area, team, count(*), count(*) FILTER (WHERE state = 'met'),
        count(*) FILTER (WHERE state = 'waived'), count(*) FILTER (WHERE state = 'exempt')
      FROM json_to_recordset(${JSON.stringify(members)}::json) AS sent (area text, team text, state text)
      GROUP BY area, team
    `;
    return true;
  });
}

async function recordMembers(
  trx: Knex,
  { id, joined, day }: { readonly id: string; readonly joined: string | null; readonly day: string },
  members: readonly RecordedMember[],
): Promise<void> {
  const sent = JSON.stringify(members);
  const [{ moved }] = await query(trx)`
    SELECT count(*)::int AS moved FROM json_to_recordset(${sent}::json) AS sent (area text, team text, app text)
    WHERE NOT EXISTS (
      SELECT FROM applications
      WHERE (applications.area, applications.team, applications.app) = (sent.area, sent.team, sent.app)
    )
  `;
  if (moved > 0) throw new Error("an application moved while the progress of a campaign was recorded");
  await query(trx)`
    INSERT INTO campaign_members (campaign_id, target_id, joined, met_on)
    SELECT ${id}::uuid, targets.id, ${asDay(joined)}, CASE WHEN sent.state = 'met' THEN ${asDay(day)} END
    FROM json_to_recordset(${sent}::json) AS sent (area text, team text, app text, env text, state text)
      JOIN applications USING (area, team, app)
      JOIN targets ON targets.application_id = applications.id AND targets.env = sent.env
    WHERE NOT EXISTS (
      SELECT FROM campaign_members AS known
      WHERE (known.campaign_id, known.target_id) = (${id}::uuid, targets.id)
        AND (known.met_on IS NOT NULL OR sent.state <> 'met')
    )
    ON CONFLICT (campaign_id, target_id) DO UPDATE SET met_on = excluded.met_on
  `;
}
