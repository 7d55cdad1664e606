/**
 * The campaigns. Their members are whom the scope fits when they are read. Only what cannot be computed again is stored:
 *
 * - `campaign_members`: the day since which a target belongs to a campaign, null for one that did when the campaign
 *   started, and the first day on which it met the goal.
 * - `campaign_days`: the progress of each day, by team, so that a caller sees that of its bounds.
 *
 * `creator` is the key of the caller that made it. `ended_at` is set where it was ended by hand. `recorded` is the last recorded day, and `notified` has the facts that are
 * queued already.
 */
export const campaigns: string = `
CREATE TABLE campaigns (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  why jsonb NOT NULL,
  owner text NOT NULL,
  scope jsonb NOT NULL,
  goal jsonb NOT NULL,
  starts date NOT NULL,
  due date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by text NOT NULL,
  creator text,
  ended_at timestamptz,
  ended_by text,
  archived_at timestamptz,
  recorded date,
  notified text[] NOT NULL DEFAULT '{}',
  CHECK (starts <= due),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE TABLE campaign_members (
  campaign_id uuid NOT NULL REFERENCES campaigns,
  target_id integer NOT NULL REFERENCES targets,
  joined date,
  met_on date,
  PRIMARY KEY (campaign_id, target_id)
);
CREATE INDEX campaign_members_of_target ON campaign_members (target_id);
CREATE TABLE campaign_days (
  campaign_id uuid NOT NULL REFERENCES campaigns,
  day date NOT NULL,
  area text COLLATE "C" NOT NULL,
  team text COLLATE "C" NOT NULL,
  members integer NOT NULL,
  met integer NOT NULL,
  waived integer NOT NULL,
  exempt integer NOT NULL,
  PRIMARY KEY (campaign_id, day, area, team)
)
`;
