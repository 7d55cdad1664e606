/**
 * The applications, their names and their environments. Names are compared byte by byte (collation "C"). Three names of
 * 200 characters fit into a B-tree entry, which holds 2,704 bytes.
 *
 * `names` has every name that an application ever had. `since` is when the application got its current name, or lost a
 * former one. `former_groups` has the new name of each moved team or area, for names that are unknown yet; an empty
 * team means the whole area. No application has a current name within a former group.
 *
 * The first transaction that stores something of an application or a target creates it. Before it reads names, it locks
 * the table `applications` in ROW EXCLUSIVE mode; moves, merges and retirement lock it in SHARE ROW EXCLUSIVE mode. So
 * no application is created under a name that is just moving away.
 *
 * An application with `held_since` is stored, but shown nowhere until it is registered.
 *
 * `targets.labels` and `metrics.labels` are the two halves of the label set of a score.
 */
export const names: string = `
CREATE TABLE applications (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  area text COLLATE "C" NOT NULL,
  team text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  owner text,
  repo text,
  tier text,
  labels jsonb,
  registered_at timestamptz,
  held_since timestamptz,
  retired_at timestamptz,
  retired_because text,
  UNIQUE (area, team, app),
  CHECK ((labels IS NULL) = (registered_at IS NULL)),
  CHECK (registered_at IS NULL OR held_since IS NULL),
  CHECK ((retired_because IS NULL) = (retired_at IS NULL))
);
CREATE INDEX applications_held ON applications (area, team, app) WHERE held_since IS NOT NULL;
CREATE TABLE names (
  area text COLLATE "C" NOT NULL,
  team text COLLATE "C" NOT NULL,
  app text COLLATE "C" NOT NULL,
  application_id integer NOT NULL REFERENCES applications,
  since timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz,
  PRIMARY KEY (area, team, app)
);
CREATE INDEX names_of_application ON names (application_id);
CREATE TABLE former_groups (
  area text COLLATE "C" NOT NULL,
  team text COLLATE "C" NOT NULL,
  to_area text COLLATE "C" NOT NULL,
  to_team text COLLATE "C" NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (area, team),
  CHECK ((team = '') = (to_team = ''))
);
CREATE TABLE targets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  application_id integer NOT NULL REFERENCES applications,
  env text COLLATE "C" NOT NULL,
  labels text COLLATE "C" NOT NULL,
  retired_at timestamptz,
  retired_because text,
  UNIQUE (application_id, env),
  CHECK ((retired_because IS NULL) = (retired_at IS NULL))
);
CREATE TABLE metrics (
  id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scorecard text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  labels text COLLATE "C" NOT NULL,
  UNIQUE (scorecard, metric)
)
`;
