import type { Knex } from "knex";
import type { AppName } from "../../model/app-name.ts";
import { forgetUntold } from "../alert-threads.ts";

/** How much is stored of an application. */
export interface Amount {
  readonly scores: number;
  readonly problems: number;
}

/** How much is stored of an application; undefined if nothing is, and it is not registered. */
export async function amountOf(trx: Knex, { area, team, app }: AppName): Promise<Amount | undefined> {
  const name = [area, team, app];
  const is = "(area, team, app) = (?::text, ?::text, ?::text)";
  const { rows } = await trx.raw(
    `
    SELECT (SELECT count(*)::int FROM scores WHERE ${is}) AS scores,
      (SELECT count(*)::int FROM problems WHERE ${is}) AS problems,
      EXISTS (SELECT FROM apps WHERE ${is}) AS is_registered
    `,
    [...name, ...name, ...name],
  );
  const { scores, problems, is_registered } = rows[0];
  return scores + problems > 0 || is_registered ? { scores, problems } : undefined;
}

/** How much is stored of a retired application; undefined if it is not retired. */
export async function retiredAmountOf(trx: Knex, { area, team, app }: AppName): Promise<Amount | undefined> {
  const name = [area, team, app];
  const is = "(area, team, app) = (?::text, ?::text, ?::text)";
  const { rows } = await trx.raw(
    `
    SELECT (SELECT count(*)::int FROM retired_scores WHERE ${is}) AS scores,
      (SELECT count(*)::int FROM retired_problems WHERE ${is}) AS problems,
      EXISTS (SELECT FROM retired_apps WHERE ${is}) AS is_retired
    `,
    [...name, ...name, ...name],
  );
  const { scores, problems, is_retired } = rows[0];
  return is_retired ? { scores, problems } : undefined;
}

/**
 * Takes an application out of the tables that everything reads, and keeps its rows in those of the retired ones. Messages
 * about it that wait are not sent any more, nor is the end of a problem of which nobody has heard. Its name must be locked.
 */
export async function retireApp(trx: Knex, { area, team, app }: AppName, reason: string): Promise<void> {
  const name = [area, team, app];
  await trx.raw(
    `
    WITH entry AS (DELETE FROM apps WHERE (area, team, app) = (?::text, ?::text, ?::text) RETURNING *)
    INSERT INTO retired_apps (area, team, app, reason, owner, repo, tier, labels, registered_at)
    SELECT name.area, name.team, name.app, ?::text, owner, repo, tier, labels, registered_at
    FROM (SELECT ?::text AS area, ?::text AS team, ?::text AS app) AS name LEFT JOIN entry ON true
    `,
    [...name, reason, ...name],
  );
  for (const table of ["scores", "problems"]) {
    await trx.raw(
      `WITH gone AS (DELETE FROM ${table} WHERE (area, team, app) = (?::text, ?::text, ?::text) RETURNING *)
       INSERT INTO retired_${table} SELECT * FROM gone`,
      name,
    );
  }
  await dropAlerts(trx, name);
}

async function dropAlerts(trx: Knex, name: readonly string[]): Promise<void> {
  const waiting = "(area, team, app) = (?::text, ?::text, ?::text) AND given_up_at IS NULL";
  await trx.raw(
    `
    SELECT FROM alert_threads WHERE (thread, channel) IN (SELECT thread, channel FROM alerts WHERE ${waiting})
    ORDER BY thread, channel
    FOR UPDATE
    `,
    name,
  );
  const { rows } = await trx.raw(
    `
    DELETE FROM alerts WHERE ${waiting}
    RETURNING thread, channel, tries > 0 AND due_at <= now() AND channel IN (
      SELECT channel FROM alert_channels WHERE busy_until > now()
    ) AS is_being_sent
    `,
    name,
  );
  await forgetUntold(
    trx,
    rows.filter(({ is_being_sent }: { is_being_sent: boolean }) => !is_being_sent),
  );
}

/** Brings a retired application back as it was. Its name must be locked. */
export async function restoreApp(trx: Knex, { area, team, app }: AppName): Promise<void> {
  const name = [area, team, app];
  const is = "(area, team, app) = (?::text, ?::text, ?::text)";
  const { rows } = await trx.raw(`DELETE FROM retired_apps WHERE ${is} RETURNING *`, name);
  const [{ owner, repo, tier, labels, registered_at }] = rows;
  if (registered_at !== null) {
    await trx.raw(
      `INSERT INTO apps (area, team, app, owner, repo, tier, labels, registered_at)
       VALUES (?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::jsonb, ?::timestamptz)`,
      [...name, owner, repo, tier, JSON.stringify(labels), registered_at],
    );
  }
  for (const table of ["scores", "problems"]) {
    await trx.raw(
      `WITH back AS (DELETE FROM retired_${table} WHERE ${is} RETURNING *)
       INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM back`,
      name,
    );
  }
}
