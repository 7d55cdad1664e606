import type { Knex } from "knex";

/**
 * The tables of scores and of their history.
 *
 * Half of every page is kept free, so that even a statement that rewrites all of its rows finds room in it and no index
 * has to change.
 *
 * A row of `score_changes` holds the value before it (`former`; null for the first report). So the score at a time is
 * the `former` of the first change after that time, or today's score if there is none: no older row is ever needed, and
 * rows can be deleted by their age alone. They have no foreign key, because each is written by the statement that writes
 * its score. They are also read by time. A BRIN index would be smaller, but it serves worse from the day on which later
 * rows use the space of deleted ones, and a range that PostgreSQL did not finish to summarize makes it read the whole
 * table. The partial index is of the few changes that `GET /changes` reads of every
 * application.
 */
export async function createScores(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scores (
      reported_at timestamptz NOT NULL DEFAULT now(),
      changed_at timestamptz NOT NULL DEFAULT now(),
      target_id integer NOT NULL REFERENCES targets,
      metric_id smallint NOT NULL REFERENCES metrics,
      score numeric(5, 2) NOT NULL CHECK (score BETWEEN 0 AND 100),
      former_score numeric(5, 2),
      changed_by text NOT NULL DEFAULT 'report',
      scorer text NOT NULL,
      pipeline_id text,
      project_repo text,
      raw jsonb NOT NULL,
      PRIMARY KEY (target_id, metric_id)
    ) WITH (fillfactor = 50)
  `);
  await knex.raw(`
    CREATE TABLE score_changes (
      at timestamptz NOT NULL,
      target_id integer NOT NULL,
      metric_id smallint NOT NULL,
      former numeric(5, 2),
      score numeric(5, 2) NOT NULL,
      scorer text NOT NULL,
      cause text NOT NULL,
      PRIMARY KEY (target_id, metric_id, at)
    )
  `);
  await knex.raw("CREATE INDEX score_changes_at ON score_changes (at)");
  await knex.raw("CREATE INDEX score_changes_others ON score_changes (at) WHERE cause <> 'report'");
}
