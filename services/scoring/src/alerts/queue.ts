import { severities } from "@maturity/core";
import type { Knex } from "knex";
import type { AlertState, Problem } from "../model/problem.ts";
import type { StoredProblem } from "../store/problems.ts";
import { alertText, resolvedText } from "./message.ts";

/** A message to queue. */
export interface NewAlert extends Pick<Problem, "area" | "team" | "app" | "env" | "problem_type"> {
  /** Identifies the period in which the problem is open, as `saveProblem` returns it. */
  readonly thread: string;
  readonly channel: string;
  /** Rank of the severity; 0 is the worst. */
  readonly severity: number;
  /** Text about the last report. */
  readonly text: string;
  /** Number of findings in the last report. 0 means that the problem is resolved. */
  readonly findings: number;
}

/**
 * Queues the message about a stored report, in the transaction that stores it. When a problem is resolved, each channel
 * that heard of it gets a message.
 *
 * @param chat undefined if no chat is configured
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

/** When the problem was opened, in milliseconds since 1970. The name of the thread holds it. */
function openedAt(thread: string): number {
  return Number(thread.split("@")[1]) * 1_000;
}

/** Ends the threads of a resolved problem, in all channels that heard of it. */
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
 * Queues a message. The first message of a thread opens it; all others are replies. At most one reply of a thread waits
 * at a time: a further one replaces its text and is counted with it.
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
