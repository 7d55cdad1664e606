import type { Knex } from "knex";
import { type AlertState, type Problem, severities } from "../model/problem.ts";
import type { StoredProblem } from "../store/problems.ts";
import { alertText, resolvedText } from "./message.ts";

/** One message to the chat that waits, as it is queued. */
export interface NewAlert extends Pick<Problem, "area" | "team" | "app" | "env" | "problem_type"> {
  /** Names the opening of the problem, as `saveProblem` returns it. */
  readonly thread: string;
  readonly channel: string;
  /** 0 is the worst. */
  readonly severity: number;
  /** What it says of the last report. */
  readonly text: string;
  /** How many findings the last report had; 0 resolves the problem. */
  readonly findings: number;
}

/**
 * Queues what is to be told of a report that was stored, in the same transaction. The end of a problem is told in every
 * channel that was told of its opening.
 *
 * @param chat undefined where there is no chat to tell
 */
export async function queueAlert(
  trx: Knex.Transaction,
  problem: Problem,
  stored: StoredProblem,
  chat: { readonly defaultChannel?: string | undefined } | undefined,
): Promise<AlertState> {
  const { area, team, app, env, problem_type, count, chat_channel: channel = chat?.defaultChannel } = problem;
  const alert = { area, team, app, env, problem_type, severity: severities.indexOf(problem.severity), findings: count };
  if (stored.thread === null) {
    const ended = await endThreads(trx, stored.problem);
    if (ended.length === 0) return "not_needed";
    if (!chat) return "disabled";
    for (const { thread, channel } of ended) {
      const text = resolvedText(problem, Number(stored.reported_at) - openedAt(thread));
      await insertAlert(trx, { ...alert, thread, channel, text });
    }
    return "queued";
  }
  if (!chat) return "disabled";
  if (channel === undefined) return "no_channel";
  await insertAlert(trx, { ...alert, thread: stored.thread, channel, text: alertText(problem) });
  return "queued";
}

/** When the problem was opened, in milliseconds since 1970, by the name of its opening. */
function openedAt(thread: string): number {
  return Number(thread.split("@")[1]) * 1_000;
}

/** Ends the threads of a problem that is resolved, in all channels that were told of its opening. */
async function endThreads(trx: Knex.Transaction, problem: string): Promise<Pick<NewAlert, "thread" | "channel">[]> {
  const { rows } = await trx.raw(
    `
    UPDATE alert_threads
    SET resolved_at = now()
    WHERE split_part(thread, '@', 1) = ?::text AND resolved_at IS NULL
    RETURNING thread, channel
    `,
    [problem],
  );
  return rows;
}

/**
 * Queues a message. Until one has opened its thread it is that opening, unless it ends the problem. Of a thread's replies
 * one waits at most: a further one takes its place and counts for both.
 */
export async function insertAlert(trx: Knex.Transaction, alert: NewAlert): Promise<void> {
  const { thread, channel, severity, area, team, app, env, problem_type, text, findings } = alert;
  await trx.raw(
    "INSERT INTO alert_threads (thread, channel) VALUES (?::text, ?::text) ON CONFLICT (thread, channel) DO NOTHING",
    [thread, channel],
  );
  await trx.raw(
    `
    INSERT INTO alerts AS waiting
      (thread, channel, opening, severity, area, team, app, env, problem_type, text, findings)
    SELECT
      thread,
      channel,
      ?::int > 0 AND message_ts IS NULL AND NOT EXISTS (
        SELECT FROM alerts AS first
        WHERE first.thread = told.thread AND first.channel = told.channel AND first.opening AND first.given_up_at IS NULL
      ),
      ?::smallint, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::int
    FROM alert_threads AS told
    WHERE thread = ?::text AND channel = ?::text
    ON CONFLICT (thread, channel, opening) WHERE given_up_at IS NULL DO UPDATE SET
      severity = excluded.severity,
      text = excluded.text,
      findings = excluded.findings,
      reported_at = excluded.reported_at,
      reports = waiting.reports + 1
    `,
    [findings, severity, area, team, app, env, problem_type, text, findings, thread, channel],
  );
}
