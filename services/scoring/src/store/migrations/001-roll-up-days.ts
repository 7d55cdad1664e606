import { dayOf } from "../utc.ts";

/**
 * The roll-ups of each day, with the weights by which they were computed and the shares of the weight that were
 * waived and exempt. A roll-up of an application in an environment refers to its target, and names the metrics from which it
 * was exempt, as `scorecard.metric`, sorted and joined by spaces. That of a team or an area has their names.
 *
 * A day stands for its first moment, in UTC. `roll_ups_until` has one row: the last day whose roll-ups are written,
 * and the first day since whose first moment no change of a score was deleted. So history begins with the first midnight after
 * this migration.
 */
export const rollUpDays: string = `
CREATE TABLE roll_up_targets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target_id integer UNIQUE REFERENCES targets,
  area text COLLATE "C",
  team text COLLATE "C",
  env text COLLATE "C",
  CHECK ((target_id IS NULL) = (area IS NOT NULL AND env IS NOT NULL)),
  CHECK (target_id IS NULL OR area IS NULL AND team IS NULL AND env IS NULL)
);
CREATE UNIQUE INDEX roll_up_targets_of_groups ON roll_up_targets (area, coalesce(team, ''), env) WHERE target_id IS NULL;
CREATE TABLE roll_up_days (
  target_id integer NOT NULL REFERENCES roll_up_targets,
  day date NOT NULL,
  count integer,
  score float8 NOT NULL,
  reported float8 NOT NULL,
  fresh float8,
  lowest float8,
  weights integer,
  waived float8,
  exempt float8,
  exempt_metrics text COLLATE "C",
  PRIMARY KEY (target_id, day)
);
CREATE INDEX roll_up_days_day ON roll_up_days (day);
CREATE TABLE roll_ups_again (
  day date NOT NULL,
  target_id integer NOT NULL REFERENCES targets ON DELETE CASCADE,
  PRIMARY KEY (day, target_id)
);
CREATE TABLE roll_ups_until (day date NOT NULL, changes_since date NOT NULL DEFAULT '-infinity');
INSERT INTO roll_ups_until (day) VALUES (${dayOf("now()")})
`;
