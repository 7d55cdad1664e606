import type { Knex } from "knex";
import { fromKnex, type PgBoss, type SendOptions } from "pg-boss";
import type { Database } from "../store/database.ts";
import { type AlertJob, deadQueueName, queueName } from "./pg-boss.ts";

/** Queues an alert, in the caller's transaction. */
export function add(boss: PgBoss, trx: Knex.Transaction, data: AlertJob): Promise<void> {
  return send(boss, queueName, data, { db: fromKnex(trx) });
}

/** A job that this process fetched, and may no longer hold. */
interface HeldJob {
  readonly id: string;
  readonly retryCount: number;
  readonly data: AlertJob;
}

/** Gives an alert back that was not sent, before the others of its channel. No try is lost. */
export function putBack(stores: Stores, job: HeldJob): Promise<boolean> {
  return move(stores, { from: queueName, job }, { to: queueName, data: job.data, priority: 1 });
}

/** Moves an alert to the dead. */
export function giveUp(stores: Stores, job: HeldJob, reason: string): Promise<boolean> {
  return move(stores, { from: queueName, job }, { to: deadQueueName, data: { ...job.data, reason } });
}

/** Moves an alert from the dead to those that wait, as new. False when it is not there; of several who try one does. */
export function revive(stores: Stores, id: string, data: AlertJob): Promise<boolean> {
  return move(stores, { from: deadQueueName, job: id }, { to: queueName, data });
}

interface Stores {
  readonly boss: PgBoss;
  readonly database: Database;
}

/** In one transaction, so that an alert is in one of the queues at any time. False when it was not in the first. */
function move(
  { boss, database }: Stores,
  { from, job }: { from: string; job: string | HeldJob },
  { to, data, priority = 0 }: { to: string; data: AlertJob; priority?: number },
): Promise<boolean> {
  return database.background.transaction(async (trx) => {
    const db = fromKnex(trx);
    if (affected(await boss.deleteJob(from, job, { db })) === 0) return false;
    await send(boss, to, data, { priority, db });
    return true;
  });
}

async function send(boss: PgBoss, queue: string, data: AlertJob, options: SendOptions): Promise<void> {
  const id = await boss.send(queue, data, { group: { id: data.channel }, ...options });
  if (id === null) throw new Error(`pg-boss did not take the alert into the queue ${queue}`);
}

/** How many jobs a call changed; the types of pg-boss leave it out. */
export function affected(response: object): number {
  return (response as { affected: number }).affected;
}
