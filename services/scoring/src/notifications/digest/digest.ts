import type { AppliesRule, Engine } from "@maturity/core";
import { oldestDay } from "../../history/prune.ts";
import type { Database } from "../../store/database.ts";
import { query } from "../../store/sql.ts";
import { insertNotifications, type NewNotification } from "../outbox.ts";
import type { NotifySettings } from "../routes.ts";
import { digestMessages, readPlaces } from "./messages.ts";
import type { Schedule } from "./schedule.ts";
import { type Period, readSections } from "./sections.ts";

/** The longest period of a digest, in days, however long ago the last digest was made. */
const longestDays = 31;

/** The dependencies of a digest. */
export interface DigestDependencies {
  readonly database: Database;
  readonly engine: Engine;
  readonly applies?: readonly AppliesRule[];
  /** For how many days history is kept. A digest covers no day before that. */
  readonly historyDays: number;
  readonly schedule: Schedule;
  readonly settings: NotifySettings;
}

/**
 * Stores a digest for each place if it is due, unless another instance does. All times are by the database's clock. The
 * first digest comes with the first due time after the first start with a schedule. A missed digest is made late, and covers
 * the whole time since the last.
 *
 * @returns undefined if no digest is due
 */
export async function queueDue(
  deps: DigestDependencies,
): Promise<{ readonly due: Date; readonly messages: number } | undefined> {
  const { knex } = deps.database;
  const [state] = await query(knex)`SELECT clock_timestamp() AS now, due_at FROM digested_until`;
  const { now, due_at: last }: { now: Date; due_at: Date | null } = state;
  const due = deps.schedule.lastDue(now);
  if (last !== null && due <= last) return undefined;
  if (last === null) {
    await query(knex)`UPDATE digested_until SET due_at = ${due}::timestamptz WHERE due_at IS NULL`;
    return undefined;
  }
  const since = new Date(Math.max(Number(last), Number(due) - longestDays * 86_400_000));
  const messages = await makeDigest(deps, { since, until: due });
  return knex.transaction(async (trx) => {
    const claimed = await query(trx)`
      UPDATE digested_until SET due_at = ${due}::timestamptz WHERE due_at < ${due}::timestamptz RETURNING due_at
    `;
    if (claimed.length === 0) return undefined;
    await insertNotifications(trx, messages);
    return { due, messages: messages.length };
  });
}

/** Makes the digest of a period, or of its part in the kept history, for each place, without storing it. */
export async function makeDigest(
  { schedule, settings, ...sources }: DigestDependencies,
  { since: wanted, until }: Period,
): Promise<NewNotification[]> {
  const oldest = new Date((await oldestDay(sources.database.reads, until, sources.historyDays)) ?? 0);
  const period = { since: new Date(Math.min(Math.max(Number(wanted), Number(oldest)), Number(until))), until };
  const { sections, apps } = await readSections(sources, period);
  const placesOf = await readPlaces(sources.database.reads, settings);
  const subject = `digest@${Number(period.until) / 1_000}`;
  return digestMessages(sections, apps, placesOf, { subject, since: schedule.show(period.since) });
}
