import type { Knex } from "knex";
import { lockTable } from "./lock-table.ts";

/**
 * The history of scores, and the roll-ups of each day.
 *
 * A row of `score_changes` holds the value before it (`former`; null for the first report). So the score at a time is
 * the `former` of the first change after that time, or today's score if there is none: no older row is ever needed, and
 * rows can be deleted by their age alone. Both tables point to ids instead of names, which keeps their rows small and
 * lets a name change without them.
 *
 * Both are also read and deleted by time. A BRIN index would be smaller, but it serves worse from the day on which
 * later rows use the space of deleted ones, and a range that PostgreSQL did not finish to summarize makes it read the
 * whole table.
 *
 * `scores.id` has no index, because nothing looks for a score by it; its sequence makes it unique. It hands out ids in
 * hundreds, since an upsert takes one even if the key is known.
 *
 * A day stands for its first moment, in UTC. `roll_ups_until` has one row: the last day whose roll-ups are written.
 * History begins with the first midnight after this migration.
 */
export async function up(knex: Knex): Promise<void> {
  await lockTable(knex, "scores");
  await knex.raw(`
    ALTER TABLE scores
      ADD COLUMN changed_at timestamptz,
      ADD COLUMN former_score numeric(5, 2),
      ADD COLUMN changed_by text NOT NULL DEFAULT 'report'
  `);
  // Both fill the rows that are there. In one statement they write the table once.
  await knex.raw(`
    ALTER TABLE scores
      ALTER COLUMN changed_at TYPE timestamptz USING reported_at,
      ALTER COLUMN changed_at SET NOT NULL,
      ALTER COLUMN changed_at SET DEFAULT now(),
      ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY (CACHE 100)
  `);
  await knex.raw(`
    CREATE TABLE score_changes (
      score_id bigint NOT NULL,
      at timestamptz NOT NULL,
      former numeric(5, 2),
      score numeric(5, 2) NOT NULL,
      scorer text NOT NULL,
      cause text NOT NULL
    )
  `);
  await knex.raw(`
    INSERT INTO score_changes (score_id, at, former, score, scorer, cause)
    SELECT id, changed_at, NULL, score, scorer, changed_by FROM scores ORDER BY changed_at
  `);
  await knex.raw("ALTER TABLE score_changes ADD PRIMARY KEY (score_id, at)");
  await knex.raw("CREATE INDEX score_changes_at ON score_changes (at)");
  await knex.raw(`
    CREATE TABLE roll_up_targets (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C",
      app text COLLATE "C",
      env text COLLATE "C" NOT NULL,
      key bytea NOT NULL,
      UNIQUE (area, key),
      CHECK (team IS NOT NULL OR app IS NULL)
    )
  `);
  await knex.raw(`
    CREATE TABLE roll_up_days (
      target_id integer NOT NULL REFERENCES roll_up_targets,
      day date NOT NULL,
      count integer,
      score float8 NOT NULL,
      coverage float8 NOT NULL,
      fresh_coverage float8,
      lowest float8,
      PRIMARY KEY (target_id, day)
    )
  `);
  await knex.raw("CREATE INDEX roll_up_days_day ON roll_up_days (day)");
  await knex.raw("CREATE TABLE roll_ups_until (day date NOT NULL)");
  await knex.raw("INSERT INTO roll_ups_until (day) VALUES ((now() AT TIME ZONE 'UTC')::date)");
}
