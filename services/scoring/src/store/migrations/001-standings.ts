/**
 * What the announcements of scores and levels need.
 *
 * A row of `reported_changes` is a score that a submission changed and that nobody has looked at yet: the transaction that
 * stores the score writes it, and one instance deletes it when it has announced what follows. `former` is null for the
 * first submission. Without a metric it says only that the level of its application may have changed. What is silent changes
 * the known level without an announcement. `transaction` says which scores changed together. The table has no foreign
 * key, so that no submission waits for it.
 *
 * `known_levels` has the rank of the level of each application as it was last compared. `levels_compared` has one row: when
 * all were compared, and under which recorded rules.
 */
export const standings: string = `
CREATE TABLE reported_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction bigint NOT NULL DEFAULT txid_current(),
  noted_at timestamptz NOT NULL DEFAULT now(),
  target_id integer NOT NULL,
  metric_id smallint,
  former numeric(5, 2),
  former_at timestamptz,
  score numeric(5, 2),
  is_silent boolean NOT NULL DEFAULT false
);
CREATE TABLE known_levels (
  target_id integer PRIMARY KEY REFERENCES targets ON DELETE CASCADE,
  rank smallint NOT NULL
);
CREATE TABLE levels_compared (compared_at timestamptz, policy_id integer);
INSERT INTO levels_compared VALUES (NULL, NULL)
`;
