import { query } from "./postgres.ts";
import { until } from "./service.ts";

/** An alert as PostgreSQL has it. One that was sent is gone. */
export interface AlertRow {
  readonly state: "waiting" | "dead";
  /** The address of the chat's destination. */
  readonly channel: string;
  readonly opening: boolean;
  readonly reports: number;
  readonly tries: number;
  readonly reason: string | null;
  /** Seconds until it may be tried again. */
  readonly pause: number;
}

/** The alerts of a database, the oldest first. */
export async function alertRows(databaseUrl: string): Promise<AlertRow[]> {
  const { rows } = await query(
    databaseUrl,
    `
    SELECT CASE WHEN dead_since IS NULL THEN 'waiting' ELSE 'dead' END AS state, address AS channel, opening, reports, tries, reason,
      extract(epoch FROM due_at - now())::float AS pause
    FROM notifications
    ORDER BY queued_at, opening DESC
    `,
  );
  return rows;
}

/** Are all alerts sent, or dead letters? */
export async function noneWaits(databaseUrl: string): Promise<boolean> {
  return (await alertRows(databaseUrl)).every(({ state }) => state === "dead");
}

/** Ends the pauses before the next tries. */
export async function retryNow(databaseUrl: string): Promise<void> {
  await query(databaseUrl, "UPDATE notifications SET due_at = now()");
}

/** A pace at which a channel rests for an hour, so that a test decides when it goes on. */
export const restful = { rest: 3_600, poll: 0.02 } as const;

/** Lets an address rest to which nothing was sent yet. */
export async function rest(databaseUrl: string, address: string, destination = "chat"): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO notification_addresses VALUES ('${destination}', '${address}', now() + interval '1 hour')`,
  );
}

/** Waits until channels rest, and ends that. What is longer than a minute is no turn. */
export async function endRests(databaseUrl: string): Promise<void> {
  const resting = "busy_until > now() + interval '1 minute'";
  await until(async () => {
    const { rowCount } = await query(
      databaseUrl,
      `UPDATE notification_addresses SET busy_until = now() WHERE ${resting}`,
    );
    return Number(rowCount) > 0;
  });
}

/** Ends the turns of processes that are gone. */
export async function endLeases(databaseUrl: string): Promise<void> {
  await query(databaseUrl, "UPDATE notification_addresses SET busy_until = now()");
}
