/**
 * The waivers, and `policies`, which has a row for each change of weights, ages or levels; the last row is in force.
 *
 * A waiver is changed only by its decision and its revocation, and deleted only with the history of its time, so that the
 * waivers in force at any time of the history stay known. Its times are whole milliseconds, so that the database and the
 * service agree on whether it is in force.
 *
 * `created_at` is the time of the approval, and `ends_at` the end by date or revocation. Whatever was not approved has no
 * `created_at`, and its end is before all times, so no comparison with either holds. The indexes by the end find the waivers
 * in force, however many others there are. A request that nobody decides is over after some time without a change of its row. `requester` is the key of the caller
 * that asked. `extends` may be the id of a waiver that is deleted by now.
 *
 * A waiver of an application refers to its id, a waiver of a team or an area has their names. Each of the two has an index
 * by which to find whether a problem is waived.
 */
export const rules: string = `
CREATE TABLE waivers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  application_id integer REFERENCES applications,
  area text COLLATE "C",
  team text COLLATE "C",
  env text COLLATE "C",
  scorecard text COLLATE "C",
  metric text COLLATE "C",
  problem_type text COLLATE "C",
  reason text NOT NULL,
  owner text NOT NULL,
  evidence text,
  extends uuid,
  requested_at timestamptz NOT NULL,
  requested_by text NOT NULL,
  requester text,
  decision text CHECK (decision IN ('approved', 'rejected', 'withdrawn')),
  decided_at timestamptz,
  decided_by text,
  comment text,
  created_at timestamptz GENERATED ALWAYS AS (CASE WHEN decision = 'approved' THEN decided_at END) STORED,
  ends_at timestamptz GENERATED ALWAYS AS (
    CASE WHEN decision = 'approved' THEN coalesce(least(expires_at, revoked_at), 'infinity') ELSE '-infinity' END
  ) STORED,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  CHECK ((application_id IS NULL) = (area IS NOT NULL)),
  CHECK (application_id IS NULL OR team IS NULL),
  CHECK (application_id IS NOT NULL OR env IS NULL),
  CHECK ((scorecard IS NULL) <> (problem_type IS NULL)),
  CHECK (scorecard IS NOT NULL OR metric IS NULL),
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK ((decision IS NULL) = (decided_by IS NULL)),
  CHECK (decision IS NOT NULL OR comment IS NULL),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL)),
  CHECK (revoked_at IS NULL OR created_at IS NOT NULL)
);
CREATE INDEX waivers_by_end ON waivers (ends_at);
CREATE INDEX waivers_by_request ON waivers (requested_at) WHERE created_at IS NULL;
CREATE INDEX waivers_of_applications ON waivers (application_id, problem_type, ends_at)
WHERE problem_type IS NOT NULL AND application_id IS NOT NULL;
CREATE INDEX waivers_of_groups ON waivers (area, coalesce(team, ''), problem_type, ends_at)
WHERE problem_type IS NOT NULL AND application_id IS NULL;
CREATE TABLE policies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  loaded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  policy jsonb NOT NULL
)
`;
