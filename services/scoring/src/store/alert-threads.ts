import type { Knex } from "knex";

/** One opening of a problem as told in one channel. */
export interface AlertThread {
  /** Names the opening, as `saveProblem` returns it. */
  readonly thread: string;
  readonly channel: string;
}

/** The chat service's id of the message that opened the thread, or undefined when none was sent yet. */
export async function findThread(knex: Knex, { thread, channel }: AlertThread): Promise<string | undefined> {
  const { rows } = await knex.raw("SELECT message_ts FROM alert_threads WHERE thread = ?::text AND channel = ?::text", [
    thread,
    channel,
  ]);
  return rows[0]?.message_ts;
}

/** Remembers the message that opened the thread; the first one stays. */
export async function saveThread(knex: Knex, { thread, channel }: AlertThread, message: string): Promise<void> {
  await knex.raw(
    `
    INSERT INTO alert_threads (thread, channel, message_ts)
    VALUES (?::text, ?::text, ?::text)
    ON CONFLICT (thread, channel) DO NOTHING
    `,
    [thread, channel, message],
  );
}
