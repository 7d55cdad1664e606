import { application } from "@maturity/application";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { weightsOf } from "../src/rollups/weights.ts";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { createRollUpTargets, type RollUpTarget } from "../src/store/roll-up-days.ts";
import { query } from "../test/support/postgres.ts";
import { saveScores } from "../test/support/save-scores.ts";
import { organisation } from "./organisation.ts";

const scorecards = [security, reliability, application];

/** 10,000 applications × 2 environments × 15 metrics, of which each changes once a week. */
const scores = 300_000;

/** A score of a week, by the number of its row. Every tenth week the rules change it. */
const scoreOf = (week: string) => `((number * 37 + ${week} * 13) % 101)`;

/**
 * Fills an empty database as a year of such an organisation would, or some weeks, up to now. Changes come in the order of time, and the
 * scores of a week in another order than their ids. Indexes are there from the start, so that their pages are as full as
 * those of a service.
 */
export async function generateYear(url: string, weeks = 52): Promise<void> {
  const database = openDatabase(url, 1);
  await migrate(database);
  await database.close();
  for (const [what, statement] of Object.entries(await statements(url, weeks))) {
    process.stderr.write(`generating ${what}\n`);
    await query(url, statement);
  }
}

async function statements(url: string, weeks: number): Promise<Record<string, string>> {
  await storeScores(url);
  return {
    "the changes of all weeks": `
      SET synchronous_commit = off;
      TRUNCATE score_changes;
      CREATE TEMP TABLE numbered AS
        SELECT target_id, metric_id, row_number() OVER (ORDER BY target_id, metric_id) - 1 AS number, scorer FROM scores;
      CREATE UNIQUE INDEX ON numbered (number);
      ANALYZE numbered;
      INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause)
      SELECT target_id, metric_id, now() - (${weeks} - week - place / ${scores}::float8) * interval '7 days' AS at,
        CASE WHEN week > 0 THEN ${scoreOf("(week - 1)")} END, ${scoreOf("week")}, scorer,
        CASE WHEN week % 10 = 9 THEN 'rules' ELSE 'report' END
      FROM generate_series(0, ${weeks - 1}) AS week, generate_series(0, ${scores - 1}) AS place,
      LATERAL (SELECT * FROM numbered WHERE number = (place * 7919::bigint) % ${scores}) AS changed
      ORDER BY at
    `,
    "the scores of today": `
      UPDATE scores SET score = last.score, former_score = former, changed_at = at, reported_at = at, changed_by = cause
      FROM (SELECT DISTINCT ON (target_id, metric_id) * FROM score_changes
        WHERE at > now() - interval '8 days' ORDER BY target_id, metric_id, at DESC) AS last
      WHERE (scores.target_id, scores.metric_id) = (last.target_id, last.metric_id)
    `,
    "the roll-ups of all days": `
      SET session_replication_role = replica; -- checks no key of another table, which takes most of the time
      SET synchronous_commit = off;
      INSERT INTO roll_up_days (target_id, day, weights, count, score, reported, fresh, lowest)
      SELECT id, day::date, ${weightsOf(scorecards)}, CASE WHEN target_id IS NULL THEN 20 END, 50 + 10 * sin(id + day::date - '2000-01-01'), 1, 0.9,
        CASE WHEN target_id IS NULL THEN 12.5 END
      FROM generate_series(now() - interval '${weeks} weeks', now(), interval '1 day') AS day, roll_up_targets
      ORDER BY day, id
    `,
    "nothing more, tidying up": "VACUUM ANALYZE",
  };
}

/** The scores and the names of their roll-ups. */
async function storeScores(url: string): Promise<void> {
  process.stderr.write("generating the scores\n");
  const database = openDatabase(url, 1);
  const targets = new Map<string, RollUpTarget>();
  let rows = [];
  for (const score of organisation(scores)) {
    const { area, team, app, env } = score;
    for (const target of [
      { area, env },
      { area, team, env },
      { area, team, app, env },
    ]) {
      targets.set(JSON.stringify(target), target);
    }
    rows.push({ ...score, raw: { critical: 0, high: 3, medium: 12 }, scorer: `@maturity/${score.scorecard}@1.0.0` });
    if (rows.length < 1_000) continue;
    await saveScores(database.knex, rows);
    rows = [];
  }
  await createRollUpTargets(database.background, [...targets.values()]);
  await database.close();
}

/** A Markdown table of the sizes of the tables with their indexes. */
export async function sizes(url: string): Promise<string> {
  const { rows } = await query(
    url,
    `
    SELECT tables.relname AS name, tables.reltuples::int AS rows, pg_size_pretty(pg_table_size(tables.oid)) AS heap,
      coalesce(string_agg(indexes.relname || ' ' || pg_size_pretty(pg_relation_size(indexes.oid)), ', '
        ORDER BY pg_relation_size(indexes.oid) DESC), '–') AS indexes,
      pg_size_pretty(pg_total_relation_size(tables.oid)) AS total
    FROM pg_class AS tables
    LEFT JOIN pg_index ON indrelid = tables.oid
    LEFT JOIN pg_class AS indexes ON indexes.oid = indexrelid
    WHERE tables.relname IN ('scores', 'score_changes', 'roll_up_days', 'roll_up_targets')
    GROUP BY tables.oid
    ORDER BY pg_total_relation_size(tables.oid) DESC
    `,
  );
  const lines = rows.map(
    ({ name, rows, heap, indexes, total }) =>
      `| \`${name}\` | ${rows.toLocaleString("en-US")} | ${heap} | ${indexes} | ${total} |`,
  );
  return ["| table | rows | the rows | its indexes | all |", "|---|---|---|---|---|", ...lines].join("\n");
}
