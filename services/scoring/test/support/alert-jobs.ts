import { query } from "./postgres.ts";

/** A job of the alert queues as PostgreSQL has it. */
export interface AlertJobRow {
  readonly queue: string;
  readonly state: string;
  readonly channel: string;
  readonly retry_count: number;
  /** Seconds from the end of the last try to the next. */
  readonly pause: number;
}

/** The jobs of a database, the oldest first. */
export async function alertJobs(databaseUrl: string): Promise<AlertJobRow[]> {
  const { rows } = await query(
    databaseUrl,
    `
    SELECT name AS queue, state::text, data->>'channel' AS channel, retry_count,
      extract(epoch FROM start_after - coalesce(completed_on, created_on))::float AS pause
    FROM pgboss.job
    WHERE name IN ('alerts', 'alerts-dead')
    ORDER BY created_on, name
    `,
  );
  return rows;
}

/** Ends the pauses before the next tries. */
export async function retryNow(databaseUrl: string): Promise<void> {
  await query(databaseUrl, "UPDATE pgboss.job SET start_after = now() WHERE name = 'alerts' AND state = 'retry'");
}
