/**
 * Access tokens, sessions of the Board, the audit, and the answers under idempotency keys.
 *
 * Only the holder knows a token or a cookie; `hash` is its SHA-256. A session of an access token refers to it, because
 * it ends with the token; a session of an ID token refers to none. A session of a person has the `issuer`, the session
 * there (`sid`), and the version of the rules by which it was opened. The one row of `sign_in_key` seals what a browser
 * keeps while its person signs in.
 *
 * The list of the audit begins with the newest entry, and lists are read in ascending order, so the index has the
 * negative id.
 *
 * `idempotency_keys.id` is a hash of the caller and the key, `request` a hash of the request; `answer` is null only
 * while its transaction runs.
 */
export const access: string = `
CREATE TABLE tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  area text COLLATE "C",
  team text COLLATE "C",
  app text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  token_id integer REFERENCES tokens ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  caller text COLLATE "C" NOT NULL,
  parts jsonb NOT NULL,
  issuer text COLLATE "C",
  sid text COLLATE "C",
  rules text COLLATE "C",
  opened_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_caller ON sessions (caller, expires_at);
CREATE TABLE sign_in_key (key bytea NOT NULL);
CREATE TABLE audit (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  area text COLLATE "C",
  team text COLLATE "C",
  app text COLLATE "C",
  env text COLLATE "C",
  details jsonb NOT NULL
);
CREATE INDEX audit_newest ON audit ((-id));
CREATE TABLE idempotency_keys (
  id bytea PRIMARY KEY,
  request bytea NOT NULL,
  answer json,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
`;
