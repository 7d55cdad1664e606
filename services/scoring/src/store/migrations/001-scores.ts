/**
 * The tables of scores and of their history.
 *
 * Half of every page is free, so that a statement that updates all rows finds room in each page and changes no index.
 *
 * `measured_at` is the time at which the evidence of a score was measured; null if nobody said so, which means when it
 * was reported. `former_at` is the time of the last evidence of the score before the last change.
 *
 * A row of `score_changes` has the score before it (`former`; null for the first result). So the score at a time is the
 * `former` of the first change after it, or today's score if there is none. No older row is needed, so rows can be
 * deleted by age alone. They have no foreign key, because the statement that writes a score writes its change. They are
 * also read by time. A BRIN index would be smaller, but it gets worse once later rows use the space of deleted ones.
 *
 * A row of `score_confirmations` is the time of a result that repeated the score, so that one that was measured before it
 * and comes later finds its place. Of results that state no time, only the last of each day has one. The time that the next
 * row gets is in `repeated_at` of the score: an upsert returns no value of the row that it replaces.
 *
 * The partial index is for the few changes that `GET /changes` reads of every application.
 */
export const scores: string = `
CREATE TABLE scores (
  reported_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  measured_at timestamptz,
  former_at timestamptz,
  repeated_at timestamptz,
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
) WITH (fillfactor = 50);
CREATE TABLE score_changes (
  at timestamptz NOT NULL,
  target_id integer NOT NULL,
  metric_id smallint NOT NULL,
  former_at timestamptz,
  former numeric(5, 2),
  score numeric(5, 2) NOT NULL,
  scorer text NOT NULL,
  cause text NOT NULL,
  PRIMARY KEY (target_id, metric_id, at)
);
CREATE TABLE score_confirmations (
  at timestamptz NOT NULL,
  target_id integer NOT NULL,
  metric_id smallint NOT NULL,
  PRIMARY KEY (target_id, metric_id, at)
);
CREATE INDEX score_changes_at ON score_changes (at);
CREATE INDEX score_changes_others ON score_changes (at) WHERE cause IN ('rules', 'move')
`;
