import type { Knex } from "knex";

/**
 * Alerts that wait or were given up, and the times at which channels are free again.
 *
 * At most one opening message and one reply of each thread wait at a time. `reports` is the number of reports that an
 * alert stands for; `queued_at` is the time of the first one, `reported_at` of the last one. A thread exists from the
 * moment its first alert is queued until its problem is resolved. `message_ts` is null until the chat service has
 * accepted the first message.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE alerts (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      thread text NOT NULL,
      channel text COLLATE "C" NOT NULL,
      opening boolean NOT NULL,
      severity smallint NOT NULL,
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      env text COLLATE "C" NOT NULL,
      problem_type text COLLATE "C" NOT NULL,
      text text NOT NULL,
      findings integer NOT NULL,
      reports integer NOT NULL DEFAULT 1,
      queued_at timestamptz NOT NULL DEFAULT now(),
      reported_at timestamptz NOT NULL DEFAULT now(),
      due_at timestamptz NOT NULL DEFAULT now(),
      tries integer NOT NULL DEFAULT 0,
      given_up_at timestamptz,
      reason text,
      CHECK ((given_up_at IS NULL) = (reason IS NULL))
    )
  `);
  await knex.raw("CREATE UNIQUE INDEX alerts_waiting ON alerts (thread, channel, opening) WHERE given_up_at IS NULL");
  await knex.raw(
    "CREATE INDEX alerts_next ON alerts (channel, opening DESC, severity, queued_at) WHERE given_up_at IS NULL",
  );
  await knex.raw(`
    CREATE TABLE alert_channels (
      channel text COLLATE "C" PRIMARY KEY,
      busy_until timestamptz NOT NULL
    )
  `);
  await knex.raw("ALTER TABLE alert_threads ALTER COLUMN message_ts DROP NOT NULL, ADD COLUMN resolved_at timestamptz");
  await knex.raw(`
    UPDATE alert_threads SET resolved_at = now()
    WHERE thread NOT IN (
      SELECT encode(sha256(convert_to(area, 'UTF8') || key), 'hex') || '@' || extract(epoch FROM opened_at)
      FROM problems
      WHERE opened_at IS NOT NULL
    )
  `);
  await knex.raw(
    "CREATE INDEX alert_threads_open ON alert_threads (split_part(thread, '@', 1)) WHERE resolved_at IS NULL",
  );
}
