import type { Knex } from "knex";
import { dayOf } from "../../utc.ts";

/**
 * The roll-ups of each day, with the weights by which they were made and how much of the weight was waived. They point
 * to ids instead of names, which keeps their rows small and lets a name change without them.
 *
 * A day stands for its first moment, in UTC. `roll_ups_until` has one row: the last day whose roll-ups are written. So
 * history begins with the first midnight after this migration.
 */
export async function createRollUpDays(knex: Knex): Promise<void> {
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
      weights integer,
      waived float8,
      PRIMARY KEY (target_id, day)
    )
  `);
  await knex.raw("CREATE INDEX roll_up_days_day ON roll_up_days (day)");
  await knex.raw("CREATE TABLE roll_ups_until (day date NOT NULL)");
  await knex.raw(`INSERT INTO roll_ups_until (day) VALUES (${dayOf("now()")})`);
}
