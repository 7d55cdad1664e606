import type { Knex } from "knex";

/**
 * The tables of scores and problems, and the threads of alerts. Names are compared byte by byte (collation "C").
 *
 * `key` is the SHA-256 of the names after `area`, because names of 200 characters do not fit into a B-tree entry.
 * `labels` is the label set in the notation of a scrape. The service computes both: generated columns would be computed
 * three times for every report of a known key. Half of every page is kept free, so that even a statement that rewrites
 * all of its rows finds room in it and no index has to change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scores (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      env text COLLATE "C" NOT NULL,
      scorecard text COLLATE "C" NOT NULL,
      metric text COLLATE "C" NOT NULL,
      score numeric(5, 2) NOT NULL CHECK (score BETWEEN 0 AND 100),
      raw jsonb NOT NULL,
      scorer text NOT NULL,
      pipeline_id text,
      project_repo text,
      reported_at timestamptz NOT NULL DEFAULT now(),
      key bytea NOT NULL,
      labels text COLLATE "C" NOT NULL,
      PRIMARY KEY (area, key)
    ) WITH (fillfactor = 50)
  `);
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
      PRIMARY KEY (area, key),
      CHECK ((count > 0) = (opened_at IS NOT NULL))
    ) WITH (fillfactor = 50)
  `);
  await knex.raw(`
    CREATE TABLE alert_threads (
      thread text NOT NULL,
      channel text COLLATE "C" NOT NULL,
      message_ts text NOT NULL,
      started_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (thread, channel)
    )
  `);
}
