import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Logger } from "pino";
import sql, { type Sql } from "sql-template-tag";
import type { Fact } from "../model/fact.ts";
import { isFaultOfStatement, loggable } from "../store/failures.ts";
import { query } from "../store/sql.ts";
import { linkTo } from "./board-link.ts";
import { currentFact } from "./current-fact.ts";
import type { Destination, Sent } from "./destination.ts";
import type { NotificationCounters } from "./metrics.ts";
import type { NotifySettings, Place } from "./routes.ts";
import { mustNotBeSent } from "./silenced.ts";

/** The dependencies of delivery. */
export interface DeliveryDependencies {
  readonly knex: Knex;
  readonly settings: NotifySettings;
  readonly counters: NotificationCounters;
  readonly logger: Logger;
  /** Pause of an address after a message, in seconds; by default that of its destination. */
  readonly rest?: number | undefined;
}

/**
 * The right to send a notification to its address. An address has one lease at a time over all instances, so each message
 * is sent once and the pace of the address is kept.
 */
export interface Lease extends Place {
  /** The id of the notification. */
  readonly id: string;
  readonly subject: string;
  /** With the names of this moment. */
  readonly fact: Fact;
  /** When it happened. */
  readonly at: Date;
  /** Number of facts that it stands for. */
  readonly reports: number;
  /** Raised with each fact that joined it. */
  readonly version: number;
  /** Whether it waits for longer than all tries take. */
  readonly is_old: boolean;
  /** Number of tries, including this one. */
  readonly tries: number;
  /** Id of the message that opened the thread; null if this message opens it. */
  readonly thread: string | null;
  /** The end of the lease, in the database's notation. It also identifies the lease. */
  readonly until: string;
}

/** The largest number of addresses that one instance sends to at the same time. */
const maxAddresses = 1_000;

/** After this many seconds a lease ends by itself, because its instance is then assumed dead. */
const leaseSeconds = 30;

/** Time limit of sending one message, in milliseconds: so that the outcome is stored within the lease. */
const sendLimitMs = 15_000;

/** The pauses between tries double from 2 s to 10 min. All tries take about 24 hours. */
export const maxTries = 151;
const longestPause = 600;

/** The longest `Retry-After` that is followed, in seconds. */
const longestWait = 3_600;

/** The line of the log for a dead letter. */
export const deadLetter = "a notification is a dead letter now; `maturity-service notifications` lists it and retries";

/** Pause between two attempts to reach the database, in milliseconds. */
const pauseMs = 1_000;

/**
 * Takes a lease of each free address for which something waits, and selects the first notification for it. Messages that
 * open a thread come before replies; then the worst severity comes first, then the oldest. Three kinds are skipped: what
 * waits behind an older message of its thread, or behind the opening of its problem, what is about a problem that is waived
 * by now, and what is locked because it is being merged at this moment.
 *
 * @param busy places of which this instance has a lease already
 */
export async function takeLeases(
  knex: Knex,
  { destinations }: Pick<NotifySettings, "destinations">,
  busy: readonly Place[],
): Promise<Lease[]> {
  const [names, addresses] = [busy.map(({ destination }) => destination), busy.map(({ address }) => address)];
  return query(knex)`
    WITH next AS (
      SELECT id, destination, address
      FROM (
        SELECT DISTINCT destination, address
        FROM notifications LEFT JOIN notification_addresses USING (destination, address)
        WHERE dead_since IS NULL AND destination = ANY (${[...destinations.keys()]}::text[])
          AND coalesce(busy_until <= now(), true)
          AND (destination, address) NOT IN (SELECT * FROM unnest(${names}::text[], ${addresses}::text[]))
      ) AS free
      CROSS JOIN LATERAL (
        SELECT id
        FROM notifications AS waiting
        WHERE (waiting.destination, waiting.address) = (free.destination, free.address)
          AND dead_since IS NULL AND due_at <= now() AND NOT ${mustNotBeSent("waiting")}
          AND NOT EXISTS (
            SELECT FROM notifications AS first
            WHERE (first.subject, first.destination, first.address)
                = (waiting.subject, waiting.destination, waiting.address)
              AND first.dead_since IS NULL
              AND (first.problem_id IS NOT NULL AND NOT first.opening, first.queued_at, first.id)
                < (waiting.problem_id IS NOT NULL AND NOT waiting.opening, waiting.queued_at, waiting.id)
          )
        ORDER BY opening DESC, severity, queued_at
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) AS notification
      ORDER BY destination, address
      LIMIT ${maxAddresses - busy.length}::int
    ),
    taken AS (
      INSERT INTO notification_addresses AS known (destination, address, busy_until)
      SELECT destination, address, now() + make_interval(secs => ${leaseSeconds}::float8) FROM next
      ON CONFLICT (destination, address) DO UPDATE SET busy_until = excluded.busy_until WHERE known.busy_until <= now()
      RETURNING destination, address, busy_until
    ),
    tried AS (
      UPDATE notifications
      SET tries = tries + 1
      WHERE id IN (SELECT id FROM next JOIN taken USING (destination, address))
      RETURNING *
    )
    SELECT tried.id, tried.subject, destination, address, ${currentFact("tried")} AS fact, reports, version, tries,
      happened_at AS at, busy_until::text AS until, tried.queued_at < now() - interval '24 hours' AS is_old,
      message AS thread
    FROM tried JOIN taken USING (destination, address)
      LEFT JOIN notification_threads USING (subject, destination, address)
  `;
}

/**
 * Sends the notification of a lease and stores the outcome. While the database cannot be reached, storing is repeated,
 * because a lost outcome would send the message a second time.
 *
 * @param stopping ends the attempts to reach the database
 * @returns the pause of the address, in seconds
 * @throws Error if the outcome could not be stored. The message is then sent again after the end of the lease.
 */
export async function deliver(deps: DeliveryDependencies, lease: Lease, stopping: AbortSignal): Promise<number> {
  const destination = deps.settings.destinations.get(lease.destination);
  if (!destination) throw new RangeError(`there is no destination ${lease.destination}`);
  const sent = await trySending(destination, deps.settings, lease);
  const { rest = destination.pace } = deps;
  if (sent.status === "sent") deps.counters.sent.inc({ destination: lease.destination });
  for (let logged = false; ; logged = true) {
    try {
      await endLease(deps, lease, sent, rest);
      return rest;
    } catch (error) {
      if (stopping.aborted || isFaultOfStatement(error)) throw error;
      if (!logged) logUnreachable(deps.logger, error);
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/** Logs a failed call to the database that is going to be repeated. */
export function logUnreachable(logger: Logger, error: unknown): void {
  logger.error({ err: loggable(error) }, "the outbox cannot reach the database");
}

async function trySending(destination: Destination, settings: NotifySettings, lease: Lease): Promise<Sent> {
  const { id: row, fact, version, at, reports, thread, address, tries, is_old } = lease;
  if (tries > maxTries) return { status: "refused", reason: "no process finished sending it" };
  const link = linkTo(settings.boardUrl, fact);
  const id = version === 1 ? row : `${row}.${version}`;
  const message = { ...{ id, fact, at, reports, thread, address, link } };
  const sent = await destination.send(message, AbortSignal.timeout(sendLimitMs));
  const isLast = (sent.status === "failed" && tries === maxTries) || (sent.status === "busy" && is_old);
  return isLast ? { status: "refused", reason: sent.reason } : sent;
}

/**
 * Ends a lease and stores the outcome of its notification. The next lease of the address begins after the pause at the
 * earliest. If this lease has ended already, only the thread is stored, and the notification is left to the instance with
 * the present lease: if both subtracted their facts, one that arrived in between would be lost.
 *
 * The log lines are written inside the transaction. If the process is killed before the commit, another instance makes the
 * notification a dead letter and writes the line again.
 *
 * @param rest pause of the address after a message, in seconds
 */
function endLease(deps: DeliveryDependencies, lease: Lease, sent: Sent, rest: number): Promise<void> {
  const { knex, counters, logger } = deps;
  const { id, subject, destination, address, until, reports, tries } = lease;
  const pause = sent.status === "busy" ? Math.min(sent.seconds, longestWait) : rest;
  const context = { notification: id, destination, address };
  return knex.transaction(async (trx) => {
    const change = (assignments: Sql) => query(trx)`UPDATE notifications SET ${assignments} WHERE id = ${id}::uuid`;
    // Every transaction locks the thread first, then the notification, then the address, so that no deadlock occurs.
    if (sent.status === "sent" && sent.message !== undefined) {
      await query(trx)`
        UPDATE notification_threads SET message = ${sent.message}::text
        WHERE subject = ${subject}::text AND destination = ${destination}::text AND address = ${address}::text
          AND message IS NULL
      `;
    }
    await query(trx)`SELECT FROM notifications WHERE id = ${id}::uuid FOR UPDATE`;
    const rows = await query(trx)`
      UPDATE notification_addresses SET busy_until = now() + make_interval(secs => ${pause}::float8)
      WHERE destination = ${destination}::text AND address = ${address}::text AND busy_until = ${until}::timestamptz
      RETURNING address
    `;
    if (rows.length === 0) return;
    switch (sent.status) {
      case "sent":
        if (sent.warning !== undefined) {
          logger.warn({ ...context, reason: sent.warning }, "a notification was sent, but not to everybody");
        }
        await change(sql`reports = reports - ${reports}::int, tries = 0`);
        await query(trx)`DELETE FROM notifications WHERE id = ${id}::uuid AND reports <= 0`;
        break;
      case "busy": // The destination accepts nothing now, so this does not count as a try.
        await change(sql`tries = tries - 1`);
        break;
      case "failed":
        await change(sql`due_at = now() + make_interval(secs => ${Math.min(2 ** tries, longestPause)}::float8)`);
        logger.warn({ ...context, reason: sent.reason }, "a notification could not be sent; it will be tried again");
        break;
      case "refused":
        await change(sql`dead_since = now(), reason = ${sent.reason}::text`);
        logger.error({ ...context, reason: sent.reason }, deadLetter);
        counters.dead.inc({ destination });
    }
  });
}
