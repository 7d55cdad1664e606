import { insertScores } from "./insert-scores.ts";
import { query } from "./postgres.ts";

/** How many scores are more than what sockets hold, packed too: Linux holds 10 MB of a connection, and these are 35 MB. */
export const manyLong = 12_000;

/** Stores so many scores, each of which is some 5 kB in a list, random and unlike the others, so that gzip makes little less. */
export async function saveLongScores(databaseUrl: string, count: number = manyLong): Promise<void> {
  await query(
    databaseUrl,
    insertScores(
      `SELECT 'long' AS area, 'team' AS team, 'app ' || number AS app, 'prod' AS env, 'security' AS scorecard,
         'sast' AS metric, 50 AS score, '{}'::jsonb AS raw, 'test@1.0.0' AS scorer,
         (SELECT string_agg(md5(random()::text || part || number), '') FROM generate_series(1, 160) AS part) AS project_repo
       FROM generate_series(1, ${count}) AS number`,
    ).join("; "),
  );
}
