/**
 * The table of problems. Alert threads refer to the id, so they outlast a move of the application. Half of every
 * page is free for the next version of its rows.
 *
 * `past_openings` are those that were resolved, the latest last, each as `{opened_at, resolved_at, severity}`; null without
 * any. They stand in the row, so that the statement that resolves a problem also writes them.
 */
export const problems: string = `
CREATE TABLE problems (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target_id integer NOT NULL REFERENCES targets,
  problem_type text COLLATE "C" NOT NULL,
  severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
  count integer NOT NULL CHECK (count >= 0),
  details jsonb NOT NULL,
  chat_channel text,
  opened_at timestamptz,
  reported_at timestamptz NOT NULL DEFAULT now(),
  measured_at timestamptz,
  past_openings jsonb,
  UNIQUE (target_id, problem_type),
  CHECK ((count > 0) = (opened_at IS NOT NULL))
) WITH (fillfactor = 50)
`;
