import type { Knex } from "knex";

/**
 * Waiting alerts, dead letters, their threads, and the times at which channels are free again.
 *
 * At most one opening message and one reply of each thread wait at a time. `reports` is the number of reports that an
 * alert stands for; `queued_at` is the time of the first one, `reported_at` of the last one. A message of a digest is
 * about no problem. `digested_until` has one row: when the last digest was due.
 *
 * A thread exists from the moment its first alert is queued until its problem is resolved. `message_ts` is null until
 * the chat service has accepted the first message.
 */
export async function createAlerts(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE alerts (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      thread text NOT NULL,
      channel text COLLATE "C" NOT NULL,
      opening boolean NOT NULL,
      severity smallint NOT NULL,
      problem_id bigint REFERENCES problems,
      text text NOT NULL,
      findings integer NOT NULL,
      reports integer NOT NULL DEFAULT 1,
      queued_at timestamptz NOT NULL DEFAULT now(),
      reported_at timestamptz NOT NULL DEFAULT now(),
      due_at timestamptz NOT NULL DEFAULT now(),
      tries integer NOT NULL DEFAULT 0,
      dead_since timestamptz,
      reason text,
      CHECK ((dead_since IS NULL) = (reason IS NULL))
    )
  `);
  await knex.raw("CREATE UNIQUE INDEX alerts_waiting ON alerts (thread, channel, opening) WHERE dead_since IS NULL");
  await knex.raw(
    "CREATE INDEX alerts_next ON alerts (channel, opening DESC, severity, queued_at) WHERE dead_since IS NULL",
  );
  await knex.raw(`
    CREATE TABLE alert_threads (
      thread text NOT NULL,
      channel text COLLATE "C" NOT NULL,
      problem_id bigint REFERENCES problems,
      message_ts text,
      started_at timestamptz NOT NULL DEFAULT now(),
      resolved_at timestamptz,
      PRIMARY KEY (thread, channel)
    )
  `);
  await knex.raw("CREATE INDEX alert_threads_of_problem ON alert_threads (problem_id, resolved_at)");
  await knex.raw("CREATE INDEX alerts_of_problem ON alerts (problem_id)");
  await knex.raw(`
    CREATE TABLE alert_channels (
      channel text COLLATE "C" PRIMARY KEY,
      busy_until timestamptz NOT NULL
    )
  `);
  await knex.raw("CREATE TABLE digested_until (due_at timestamptz)");
  await knex.raw("INSERT INTO digested_until VALUES (NULL)");
}
