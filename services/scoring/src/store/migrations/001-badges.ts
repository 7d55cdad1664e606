/**
 * The badges of applications. Only who has the address of one can read it: the address has the id, signed by the one row
 * of `badge_key`.
 */
export const badges: string = `
CREATE TABLE badges (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  application_id integer NOT NULL REFERENCES applications ON DELETE CASCADE,
  env text COLLATE "C" NOT NULL,
  shows text NOT NULL,
  scorecard text COLLATE "C",
  metric text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  revoked_at timestamptz,
  revoked_by text,
  CHECK ((shows = 'metric') = (metric IS NOT NULL)),
  CHECK ((scorecard IS NULL) = (metric IS NULL)),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
CREATE INDEX badges_of_application ON badges (application_id);
CREATE TABLE badge_key (key bytea NOT NULL)
`;
