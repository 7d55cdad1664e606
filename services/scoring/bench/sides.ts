import { execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import pg from "pg";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { openDatabase } from "../src/store/database.ts";
import { saveScores } from "../test/support/save-scores.ts";
import { type MadeUpScore, organisation } from "./organisation.ts";
import { isInstalled } from "./processes.ts";

const batch = 1_000;

/** Fills the store with so many scores, or with these, as the service writes them, and leaves it as autovacuum would. */
export async function fillStore(databaseUrl: string, scores: number | Iterable<MadeUpScore>): Promise<void> {
  const database = openDatabase(databaseUrl, 1);
  await database.knex.raw("TRUNCATE scores");
  let rows = [];
  for (const score of typeof scores === "number" ? organisation(scores) : scores) {
    rows.push({ ...score, raw: { critical: 0, high: 3, medium: 12 }, scorer: "@maturity/security@1.0.0" });
    if (rows.length < batch) continue;
    await saveScores(database.knex, rows);
    rows = [];
  }
  if (rows.length > 0) await saveScores(database.knex, rows);
  for (const statement of ["SET statement_timeout = 0", "VACUUM ANALYZE scores", "CHECKPOINT"]) {
    await database.background.raw(statement);
  }
  await database.close();
}

/** A token that may write scores. */
export async function makeToken(databaseUrl: string): Promise<string> {
  const token = createToken();
  const database = openDatabase(databaseUrl, 1);
  await insertToken(database.knex, { name: "bench", hash: hashToken(token), scopes: ["score:write"], bounds: {} });
  await database.close();
  return token;
}

/**
 * Fills a Pushgateway with as many series: one push for each application and environment.
 *
 * @param limitSeconds no push begins after so long
 * @returns how many groups it took, of how many
 */
export async function fillPushgateway(
  url: string,
  scores: number,
  limitSeconds: number = Number.POSITIVE_INFINITY,
): Promise<{ taken: number; groups: number }> {
  const groups = new Map<string, string[]>();
  for (const { area, team, app, env, metric, score } of organisation(scores)) {
    const path = `/metrics/job/maturity/area/${area}/team/${team}/app/${app}/env/${env}`;
    const lines = groups.get(path) ?? [];
    lines.push(`# TYPE maturity_score_${metric} gauge\nmaturity_score_${metric} ${score}\n`);
    groups.set(path, lines);
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const waiting = [...groups];
  const end = performance.now() + limitSeconds * 1_000;
  let taken = 0;
  const push = async () => {
    while (performance.now() < end) {
      const next = waiting.pop();
      if (!next) return;
      await put(agent, url + next[0], next[1].join(""));
      taken++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, push));
  agent.destroy();
  return { taken, groups: groups.size };
}

function put(agent: Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, method: "PUT" }, (response) => response.resume().once("end", () => resolve()))
      .once("error", reject)
      .end(body);
  });
}

/** The rows of a scrape as the client of PostgreSQL gets them: seconds of `psql -c "COPY …" > /dev/null`. */
export function copyWithPsql(databaseUrl: string): number {
  if (!isInstalled("psql")) return Number.NaN;
  const copy = "COPY (SELECT 'maturity_score' || labels || ' ' || score FROM scores_by_name) TO STDOUT";
  const begin = process.hrtime.bigint();
  execFileSync("psql", [databaseUrl, "-c", copy], { stdio: ["ignore", "ignore", "inherit"] });
  return Number(process.hrtime.bigint() - begin) / 1e9;
}

/** Milliseconds of one score at a time: the shared statement of the service, and an upsert written for one row. */
export async function singleWrites(databaseUrl: string, count: number): Promise<{ shared: number; plain: number }> {
  const database = openDatabase(databaseUrl, 1);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const [first] = organisation(1);
  if (!first) throw new Error("no score");
  const score = { ...first, raw: { critical: 0, high: 3, medium: 12 }, scorer: "@maturity/security@1.0.0" };
  await saveScores(database.knex, [score]);
  const shared = await median(count, () => saveScores(database.knex, [score]));
  const key =
    "SELECT target_id, metric_id FROM scores_by_name WHERE area = $1 AND app = $2 AND env = $3 AND metric = $4";
  const { rows } = await client.query(key, [score.area, score.app, score.env, score.metric]);
  const columns = { score: score.score, raw: JSON.stringify(score.raw), scorer: score.scorer, ...rows[0] };
  const names = Object.keys(columns);
  const upsert = `INSERT INTO scores (${names}) VALUES (${names.map((_, index) => `$${index + 1}`)})
    ON CONFLICT (target_id, metric_id) DO UPDATE SET score = excluded.score, raw = excluded.raw, scorer = excluded.scorer,
    pipeline_id = excluded.pipeline_id, project_repo = excluded.project_repo, reported_at = excluded.reported_at
    RETURNING reported_at`;
  const plain = await median(count, () => client.query(upsert, Object.values(columns)));
  await client.end();
  await database.close();
  return { shared, plain };
}

async function median(count: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const begin = process.hrtime.bigint();
    await run();
    times.push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
}
