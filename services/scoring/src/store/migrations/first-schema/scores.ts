import type { Knex } from "knex";

/**
 * The tables of scores and of their history. Names are compared byte by byte (collation "C").
 *
 * `key` is the SHA-256 of the names after `area`, because names of 200 characters do not fit into a B-tree entry.
 * `labels` is the label set in the notation of a scrape. The service computes both: generated columns would be computed
 * three times for every report of a known key. Half of every page is kept free, so that even a statement that rewrites
 * all of its rows finds room in it and no index has to change.
 *
 * `id` has no index, because nothing looks for a score by it; its sequence makes it unique. It hands out ids in
 * hundreds, since an upsert takes one even if the key is known.
 *
 * A row of `score_changes` holds the value before it (`former`; null for the first report). So the score at a time is
 * the `former` of the first change after that time, or today's score if there is none: no older row is ever needed, and
 * rows can be deleted by their age alone. They are also read by time. A BRIN index would be smaller, but it serves worse
 * from the day on which later rows use the space of deleted ones, and a range that PostgreSQL did not finish to summarize
 * makes it read the whole table. The two partial indexes are of the few changes that `GET /changes` must not miss.
 */
export async function createScores(knex: Knex): Promise<void> {
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
      changed_at timestamptz NOT NULL DEFAULT now(),
      former_score numeric(5, 2),
      changed_by text NOT NULL DEFAULT 'report',
      id bigint GENERATED ALWAYS AS IDENTITY (CACHE 100),
      PRIMARY KEY (area, key)
    ) WITH (fillfactor = 50)
  `);
  await knex.raw(`
    CREATE TABLE score_changes (
      score_id bigint NOT NULL,
      at timestamptz NOT NULL,
      former numeric(5, 2),
      score numeric(5, 2) NOT NULL,
      scorer text NOT NULL,
      cause text NOT NULL,
      PRIMARY KEY (score_id, at)
    )
  `);
  await knex.raw("CREATE INDEX score_changes_at ON score_changes (at)");
  await knex.raw("CREATE INDEX score_changes_moves ON score_changes (at) WHERE cause = 'move'");
  await knex.raw("CREATE INDEX score_changes_rules ON score_changes (at) WHERE cause = 'rules' OR former IS NULL");
}
