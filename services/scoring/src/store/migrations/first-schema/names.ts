import type { Knex } from "knex";

/**
 * The names of applications: those that are registered, the former names of those that moved, and what was stored of
 * those that are retired.
 *
 * In `app_aliases` an empty team or app means all of them. Such a name, and that of a retired application, has no row in
 * `scores`, `problems` or `apps`: the triggers refuse to insert one. So a report of a known key, which inserts nothing,
 * needs no look-up. Who moves a name holds its lock (`lock_of_name`) against inserts. A trigger waits for this lock
 * before it reads the aliases, by a statement that begins only then, so it never reads the state before the move. There
 * are 1,024 locks for all names, since the server has room for some thousands.
 */
export async function createNames(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE apps (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      owner text,
      repo text,
      tier text,
      labels jsonb NOT NULL,
      registered_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (area, team, app)
    )
  `);
  await knex.raw(`
    CREATE TABLE app_aliases (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      to_area text COLLATE "C" NOT NULL,
      to_team text COLLATE "C" NOT NULL,
      to_app text COLLATE "C" NOT NULL,
      moved_at timestamptz NOT NULL DEFAULT now(),
      used_at timestamptz,
      PRIMARY KEY (area, team, app),
      CHECK (team <> '' OR app = ''),
      CHECK ((team = '') = (to_team = '') AND (app = '') = (to_app = ''))
    )
  `);
  await knex.raw(`
    CREATE TABLE retired_apps (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      reason text NOT NULL,
      retired_at timestamptz NOT NULL DEFAULT now(),
      owner text,
      repo text,
      tier text,
      labels jsonb,
      registered_at timestamptz,
      PRIMARY KEY (area, team, app),
      CHECK ((labels IS NULL) = (registered_at IS NULL))
    )
  `);
  for (const table of ["scores", "problems"]) {
    await knex.raw("CREATE TABLE ?? (LIKE ??)", [`retired_${table}`, table]);
    await knex.raw("ALTER TABLE ?? ADD PRIMARY KEY (area, key)", [`retired_${table}`]);
  }
  await refuseFormerNames(knex);
}

async function refuseFormerNames(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION lock_of_name(area text, team text) RETURNS integer LANGUAGE sql IMMUTABLE
    RETURN hashtext(area || chr(9) || team) & 1023
  `);
  await knex.raw(`
    CREATE FUNCTION require_current_name() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(1835103329, lock_of_name(NEW.area, '')),
        pg_advisory_xact_lock_shared(1835103329, lock_of_name(NEW.area, NEW.team));
      IF EXISTS (
        SELECT FROM app_aliases
        WHERE area = NEW.area AND (team, app) IN (('', ''), (NEW.team, ''), (NEW.team, NEW.app))
      ) OR EXISTS (
        SELECT FROM retired_apps WHERE area = NEW.area AND team = NEW.team AND app = NEW.app
      ) THEN
        RAISE EXCEPTION 'this name is not in use' USING ERRCODE = '23M01';
      END IF;
      RETURN NULL;
    END
    $$
  `);
  for (const table of ["scores", "problems", "apps"]) {
    await knex.raw(
      "CREATE TRIGGER require_current_name AFTER INSERT ON ?? FOR EACH ROW EXECUTE FUNCTION require_current_name()",
      [table],
    );
  }
}
