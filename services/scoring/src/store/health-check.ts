import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { shareAnswers } from "./cache.ts";

/** Time limit for the answer, in milliseconds. */
const patienceMs = 1_500;

/** What scrapes read. */
const scraped = [
  "scores_by_name",
  "problems_by_name",
  "waivers_by_name",
  "campaigns",
  "campaign_days",
  "score_changes",
  "policies",
];

/**
 * What a health check asks: whether the database answers; whether scrapes may read their tables; whether reports may write
 * theirs, as they may not in recovery. No row is touched, but the statements wait for the locks of tables as scrapes and
 * reports do.
 */
const questions = {
  answers: "SELECT true AS is_so",
  scrapes: `SELECT NOT EXISTS (${scraped.map((name) => `SELECT FROM ${name} WHERE false`).join(" UNION ALL ")}) AS is_so`,
  writes: `
    WITH scored AS (UPDATE scores SET score = score WHERE false), found AS (UPDATE problems SET count = count WHERE false)
    SELECT true AS is_so
  `,
};

/** Makes a function that checks the database, by default whether it answers. Simultaneous callers share one statement. */
export function createHealthCheck(knex: Knex, question: keyof typeof questions = "answers"): () => Promise<boolean> {
  const ask = shareAnswers<void, boolean>(async () => {
    const answer = await answerOf<{ rows: { is_so: boolean }[] }>(knex.raw(questions[question]));
    return answer?.rows[0]?.is_so === true;
  });
  return () => ask();
}

/** The answer of the database, or undefined after the time limit. */
export function answerOf<T>(answer: PromiseLike<T>): Promise<T | undefined> {
  const over = new AbortController();
  // After a stall of this process the answer may have arrived, but timers run before it is read.
  const late = sleep(patienceMs, undefined, { signal: over.signal }).then(() => nextTurn(undefined));
  return Promise.race([answer, late])
    .catch(() => undefined)
    .finally(() => {
      late.catch(() => {});
      over.abort();
    });
}
