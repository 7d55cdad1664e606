import type { Knex } from "knex";
import type { CampaignFields, CampaignState } from "../model/campaign.ts";
import { dayOf, firstMoment } from "./utc.ts";
import { now } from "./waivers.ts";

/** A stored campaign. */
export interface StoredCampaign extends CampaignFields {
  readonly id: string;
  /** When the statement began that read it. */
  readonly state: CampaignState;
  readonly created_at: Date;
  readonly created_by: string;
  /** When it ended, by hand or by its date; null before. */
  readonly ended_at: Date | null;
  /** Null if it ended by its date. */
  readonly ended_by: string | null;
  /** The last day whose progress is recorded; null before the first. */
  readonly recorded: string | null;
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
export const campaignColumns: string = `id, name, why, owner, scope, goal, starts::text, due::text, ${stateNow} AS state, created_at, created_by,
  coalesce(ended_at, CASE WHEN due < ${today} THEN ${firstMoment("due + 1")} END) AS ended_at, ended_by, recorded::text`;

/** The largest number of campaigns that are not archived. */
export const maxCampaigns = 500;

/** Reads the campaigns in these states, those that are due first at the front. */
export async function readCampaigns(knex: Knex, states: readonly CampaignState[]): Promise<StoredCampaign[]> {
  const { rows } = await knex.raw(
    `SELECT ${campaignColumns} FROM campaigns WHERE ${stateNow} = ANY (?::text[]) ORDER BY due, name, id`,
    [[...states]],
  );
  return rows;
}

/** Reads a campaign; undefined if there is none with this id. */
export async function readCampaign(
  knex: Knex,
  id: string,
  lock: "" | "FOR UPDATE" = "",
): Promise<StoredCampaign | undefined> {
  const { rows } = await knex.raw(`SELECT ${campaignColumns} FROM campaigns WHERE id = ?::uuid ${lock}`, [id]);
  return rows[0];
}

/**
 * Stores a campaign.
 *
 * @returns undefined if there are as many as there may be
 */
export async function insertCampaign(
  trx: Knex,
  { name, why, owner, scope, goal, starts, due }: CampaignFields,
  createdBy: string,
): Promise<StoredCampaign | undefined> {
  await trx.raw("LOCK TABLE campaigns IN SHARE ROW EXCLUSIVE MODE"); // so that no two fill the last place
  const { rows } = await trx.raw(
    `
    INSERT INTO campaigns (name, why, owner, scope, goal, starts, due, created_by)
    SELECT ?::text, ?::jsonb, ?::text, ?::jsonb, ?::jsonb, ?::date, ?::date, ?::text
    WHERE (SELECT count(*) FROM campaigns WHERE archived_at IS NULL) < ${maxCampaigns}
    RETURNING id
    `,
    [name, JSON.stringify(why), owner, JSON.stringify(scope), JSON.stringify(goal), starts, due, createdBy],
  );
  return rows[0] && readCampaign(trx, rows[0].id);
}

/** The day of the database's clock, in UTC. */
export async function readToday(knex: Knex): Promise<string> {
  const { rows } = await knex.raw(`SELECT ${today}::text AS day`);
  return rows[0].day;
}

const types = {
  ...{ name: "text", why: "jsonb", owner: "text", scope: "jsonb", goal: "jsonb", starts: "date", due: "date" },
} as const satisfies Readonly<Record<keyof CampaignFields, string>>;

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
  const changed = Object.entries(fields) as [keyof CampaignFields, unknown][];
  const sets = [
    ...changed.map(([field]) => `${field} = ?::${types[field]}`),
    ...(fields.due === undefined ? [] : ["notified = array_remove(array_remove(notified, 'due.14'), 'due.3')"]),
    ...(endedBy === undefined ? [] : ["ended_at = clock_timestamp(), ended_by = ?::text"]),
    ...(archives ? ["archived_at = clock_timestamp()"] : []),
  ];
  const values = changed.map(([field, value]) => (types[field] === "jsonb" ? JSON.stringify(value) : String(value)));
  await trx.raw(`UPDATE campaigns SET ${sets.join(", ")} WHERE id = ?::uuid`, [
    ...values,
    ...(endedBy === undefined ? [] : [endedBy]),
    id,
  ]);
  return (await readCampaign(trx, id)) as StoredCampaign; // the caller holds its lock
}
