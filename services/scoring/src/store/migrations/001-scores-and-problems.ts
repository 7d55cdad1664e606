import type { Knex } from "knex";

/**
 * The two tables. Names are compared byte by byte (collation "C"), and the part of a key behind `area` is indexed by its
 * SHA-256, since names of 200 characters do not fit a B-tree entry. U+0001 cannot be part of a name, so it separates.
 * `labels` is the label set as the scrape prints it, made once per key instead of once per scrape.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scores (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      env text COLLATE "C" NOT NULL,
      scorecard text COLLATE "C" NOT NULL,
      metric text COLLATE "C" NOT NULL,
      score numeric(5, 2) NOT NULL CHECK (score BETWEEN 0 AND 100),
      raw jsonb NOT NULL,
      scorer text NOT NULL,
      pipeline_id text,
      project_repo text,
      reported_at timestamptz NOT NULL DEFAULT now(),
      key bytea NOT NULL GENERATED ALWAYS AS (${digest(["team", "app", "env", "scorecard", "metric"])}) STORED,
      labels text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (${labels(["area", "team", "app", "env", "scorecard", "metric"])}) STORED,
      PRIMARY KEY (area, key)
    ) WITH (fillfactor = 70)
  `);
  await knex.raw(`
    CREATE TABLE problems (
      area text COLLATE "C" NOT NULL,
      team text COLLATE "C" NOT NULL,
      app text COLLATE "C" NOT NULL,
      env text COLLATE "C" NOT NULL,
      problem_type text COLLATE "C" NOT NULL,
      severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
      count integer NOT NULL CHECK (count >= 0),
      details jsonb NOT NULL,
      chat_channel text,
      opened_at timestamptz,
      reported_at timestamptz NOT NULL DEFAULT now(),
      key bytea NOT NULL GENERATED ALWAYS AS (${digest(["team", "app", "env", "problem_type"])}) STORED,
      labels text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (${labels(["area", "team", "app", "env", "problem_type", "severity"])}) STORED,
      PRIMARY KEY (area, key),
      CHECK ((count > 0) = (opened_at IS NOT NULL))
    ) WITH (fillfactor = 70)
  `);
  await knex.raw(`
    CREATE TABLE alert_threads (
      thread text NOT NULL,
      channel text COLLATE "C" NOT NULL,
      message_ts text NOT NULL,
      started_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (thread, channel)
    )
  `);
}

/** SHA-256 of the columns. Doubled backslashes make the cast to bytea take the text as it is. */
function digest(columns: readonly string[]): string {
  return `sha256(replace(${columns.join(" || E'\\x01' || ")}, '\\', '\\\\')::bytea)`;
}

/** `{area="…",team="…"}`, escaped as the text exposition format asks. Names hold no line feed. */
function labels(columns: readonly string[]): string {
  const pairs = columns.map(
    (column) => `'${column}="' || replace(replace(${column}, '\\', '\\\\'), '"', '\\"') || '"'`,
  );
  return `'{' || ${pairs.join(" || ',' || ")} || '}'`;
}
