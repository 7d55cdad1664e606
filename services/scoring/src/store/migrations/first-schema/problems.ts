import type { Knex } from "knex";

/**
 * The table of problems, with the same `key` and `labels` as that of scores. `identity` is by what the alerts of a
 * problem find its thread; null as long as it never moved.
 */
export async function createProblems(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE problems (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      env text COLLATE "C" NOT NULL,
      problem_type text COLLATE "C" NOT NULL,
      severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
      count integer NOT NULL CHECK (count >= 0),
      details jsonb NOT NULL,
      chat_channel text,
      opened_at timestamptz,
      reported_at timestamptz NOT NULL DEFAULT now(),
      key bytea NOT NULL,
      labels text COLLATE "C" NOT NULL,
      identity text,
      PRIMARY KEY (area, key),
      CHECK ((count > 0) = (opened_at IS NOT NULL))
    ) WITH (fillfactor = 50)
  `);
}
