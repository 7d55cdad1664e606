/**
 * The outbox: facts that wait to be sent, dead letters, their threads, and the times at which addresses are free again.
 *
 * A row is one fact for one address of a destination. An empty address is the only one of its destination. `fact` has what
 * happened, and the names of that time; a message is made of it when it is sent, with the names that `problem_id` or
 * `application_id` have then.
 *
 * At most one opening message and one reply about a problem wait at a time, and of other facts at most one of each type.
 * `reports` is the number of facts that a row stands for; `happened_at` is the time of the last one. `version` is raised with
 * each fact that joins the row: receivers skip an id that they have seen, so what says something else has another. `digested_until` has
 * one row: when the last digest was due. So has `waivers_announced_until`: waivers that end until then are announced.
 *
 * A thread exists from the moment its first fact is stored. `message` is null until the destination has accepted the first
 * message.
 */
export const notifications: string = `
CREATE TABLE notifications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  destination text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  type text NOT NULL,
  opening boolean NOT NULL,
  severity smallint NOT NULL,
  problem_id bigint REFERENCES problems,
  application_id integer REFERENCES applications,
  fact jsonb NOT NULL,
  reports integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  queued_at timestamptz NOT NULL DEFAULT now(),
  happened_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  dead_since timestamptz,
  reason text,
  CHECK ((dead_since IS NULL) = (reason IS NULL))
);
CREATE UNIQUE INDEX notifications_waiting ON notifications
  (subject, destination, address, opening, (CASE WHEN problem_id IS NULL THEN type ELSE '' END))
WHERE dead_since IS NULL;
CREATE INDEX notifications_next ON notifications (destination, address, opening DESC, severity, queued_at)
WHERE dead_since IS NULL;
CREATE INDEX notifications_of_problem ON notifications (problem_id);
CREATE INDEX notifications_of_application ON notifications (application_id);
CREATE TABLE notification_threads (
  subject text NOT NULL,
  destination text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  problem_id bigint REFERENCES problems,
  message text,
  started_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  PRIMARY KEY (subject, destination, address)
);
CREATE INDEX notification_threads_of_problem ON notification_threads (problem_id, resolved_at);
CREATE TABLE notification_addresses (
  destination text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  busy_until timestamptz NOT NULL,
  PRIMARY KEY (destination, address)
);
CREATE TABLE digested_until (due_at timestamptz);
INSERT INTO digested_until VALUES (NULL);
CREATE TABLE waivers_announced_until (ends_at timestamptz);
INSERT INTO waivers_announced_until VALUES (NULL)
`;
