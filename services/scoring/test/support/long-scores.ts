import { query } from "./postgres.ts";

/** How many scores are more than what sockets hold, packed too: Linux holds 10 MB of a connection, and these are 35 MB. */
export const manyLong = 12_000;

/** Stores so many scores, each of which is some 5 kB in a list, random and unlike the others, so that gzip makes little less. */
export async function saveLongScores(databaseUrl: string, count: number = manyLong): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO scores (area, team, app, env, scorecard, metric, score, raw, scorer, project_repo, key, labels)
     SELECT 'long', 'team', 'app ' || number, 'prod', 'security', 'sast', 50, '{}', 'test@1.0.0',
       (SELECT string_agg(md5(random()::text || part || number), '') FROM generate_series(1, 160) AS part),
       sha256(number::text::bytea), ''
     FROM generate_series(1, ${count}) AS number`,
  );
}
