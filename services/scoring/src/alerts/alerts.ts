import type { Knex } from "knex";

/** One message to the chat that waits, as it is queued. */
export interface NewAlert {
  /** Names the opening of the problem, as `saveProblem` returns it. */
  readonly thread: string;
  readonly channel: string;
  /** 0 is the worst. */
  readonly severity: number;
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
  readonly problem_type: string;
  /** What it says of the last report. */
  readonly text: string;
  /** How many findings the last report had; 0 resolves the problem. */
  readonly findings: number;
}

/** The thread of one opening of a problem in one channel. */
export interface AlertThread {
  readonly thread: string;
  readonly channel: string;
}

/**
 * Queues an alert, in the transaction of its problem. Until a message has opened its thread it is that opening,
 * unless it ends the problem. Of a thread's replies one waits at most: a further one takes its place and counts for both.
 */
export async function queueAlert(trx: Knex.Transaction, alert: NewAlert): Promise<void> {
  const { thread, channel, severity, area, team, app, env, problem_type, text, findings } = alert;
  await trx.raw(
    "INSERT INTO alert_threads (thread, channel) VALUES (?::text, ?::text) ON CONFLICT (thread, channel) DO NOTHING",
    [thread, channel],
  );
  await trx.raw(
    `
    INSERT INTO alerts AS waiting
      (thread, channel, opening, severity, area, team, app, env, problem_type, text, findings)
    SELECT
      thread,
      channel,
      ?::int > 0 AND message_ts IS NULL AND NOT EXISTS (
        SELECT FROM alerts AS first
        WHERE first.thread = told.thread AND first.channel = told.channel AND first.opening AND first.given_up_at IS NULL
      ),
      ?::smallint, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::int
    FROM alert_threads AS told
    WHERE thread = ?::text AND channel = ?::text
    ON CONFLICT (thread, channel, opening) WHERE given_up_at IS NULL DO UPDATE SET
      severity = excluded.severity,
      text = excluded.text,
      findings = excluded.findings,
      reported_at = excluded.reported_at,
      reports = waiting.reports + 1
    `,
    [findings, severity, area, team, app, env, problem_type, text, findings, thread, channel],
  );
}

/**
 * Ends the threads of a problem that is resolved, in all channels that were told of its opening.
 *
 * @param problem as `saveProblem` returns it
 */
export async function endThreads(trx: Knex.Transaction, problem: string): Promise<AlertThread[]> {
  const { rows } = await trx.raw(
    `
    UPDATE alert_threads
    SET resolved_at = now()
    WHERE split_part(thread, '@', 1) = ?::text AND resolved_at IS NULL
    RETURNING thread, channel
    `,
    [problem],
  );
  return rows;
}

/** How many alerts wait or are being sent, and how many were given up and not put back. */
export async function countAlerts(knex: Knex): Promise<{ pending: number; dead: number }> {
  const { rows } = await knex.raw(`
    SELECT
      count(*) FILTER (WHERE given_up_at IS NULL)::int AS pending,
      count(given_up_at)::int AS dead
    FROM alerts
  `);
  return rows[0];
}
