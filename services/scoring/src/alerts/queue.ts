import { severities } from "@maturity/core/wire";
import type { Knex } from "knex";
import type { AlertState, Problem } from "../model/problem.ts";
import type { StoredProblem } from "../store/problems.ts";
import { alertText, resolvedText } from "./message.ts";
import { isWaived } from "./waived.ts";

/** A message about a problem, to queue. */
interface NewAlert {
  /** The id of the problem. */
  readonly problem_id: string;
  /** Identifies the period in which the problem is open, as `saveProblem` returns it. */
  readonly thread: string;
  readonly channel: string;
  /** Rank of the severity; 0 is the worst. */
  readonly severity: number;
  /** Text about the last report. */
  readonly text: string;
  /** Number of findings in the last report. 0 means that the problem is resolved. */
  readonly findings: number;
  readonly reported_at: Date;
}

/**
 * Queues the message about a problem, in the transaction that stores the problem. When it is resolved, each channel that got
 * a message about it gets another. While a problem is waived, only its resolution is queued.
 *
 * @param chat undefined if no chat is configured
 */
export async function queueAlert(
  trx: Knex.Transaction,
  problem: Problem,
  { problem: id, thread, reported_at }: StoredProblem,
  chat: { readonly defaultChannel?: string | undefined } | undefined,
): Promise<AlertState> {
  const { count, chat_channel = chat?.defaultChannel } = problem;
  const threads = thread === null ? await endThreads(trx, id) : [{ thread, channel: chat_channel }];
  if (threads.length === 0) return "not_needed";
  if (count > 0 && (await isWaived(trx, id))) return "waived";
  if (!chat) return "disabled";
  for (const { thread, channel } of threads) {
    if (channel === undefined) return "no_channel";
    const text = count > 0 ? alertText(problem) : resolvedText(Number(reported_at) - openedAt(thread));
    const severity = severities.indexOf(problem.severity);
    await insertAlert(trx, { problem_id: id, thread, channel, severity, text, findings: count, reported_at });
  }
  return "queued";
}

/** The time at which the problem was opened, in milliseconds since 1970. The name of the thread holds it. */
function openedAt(thread: string): number {
  return Number(thread.split("@")[1]) * 1_000;
}

/** Ends the threads of a resolved problem in all channels. */
async function endThreads(trx: Knex.Transaction, problem: string): Promise<{ thread: string; channel: string }[]> {
  const { rows } = await trx.raw(
    `
    UPDATE alert_threads
    SET resolved_at = now()
    WHERE problem_id = ?::bigint AND resolved_at IS NULL
    RETURNING thread, channel
    `,
    [problem],
  );
  return rows;
}

/**
 * The end of a statement that queues the message in `added`. The first message of a thread opens it; later messages are
 * replies. At most one opening message and one reply wait: a new message is merged into a waiting one of its kind, with the
 * text of the later report.
 */
export const insertAdded = `
  INSERT INTO alerts AS waiting
    (id, thread, channel, opening, severity, problem_id, text, findings, reports, queued_at,
     reported_at)
  SELECT
    coalesce(id, gen_random_uuid()), thread, channel,
    coalesce(opening, findings > 0 AND message_ts IS NULL AND NOT EXISTS (
      SELECT FROM alerts AS first
      WHERE first.thread = added.thread AND first.channel = added.channel AND first.opening
        AND first.dead_since IS NULL
    )),
    severity, added.problem_id, text, findings, coalesce(reports, 1), coalesce(queued_at, now()),
    coalesce(reported_at, now())
  FROM added LEFT JOIN alert_threads USING (thread, channel)
  ON CONFLICT (thread, channel, opening) WHERE dead_since IS NULL DO UPDATE SET
    severity = CASE WHEN excluded.reported_at < waiting.reported_at THEN waiting.severity ELSE excluded.severity END,
    text = CASE WHEN excluded.reported_at < waiting.reported_at THEN waiting.text ELSE excluded.text END,
    findings = CASE WHEN excluded.reported_at < waiting.reported_at THEN waiting.findings ELSE excluded.findings END,
    reported_at = greatest(excluded.reported_at, waiting.reported_at),
    reports = waiting.reports + excluded.reports
  RETURNING id
`;

/** A message without a problem, such as a digest, to queue. */
export type NewMessage = Pick<NewAlert, "thread" | "channel" | "text">;

/** Ranks behind all severities. */
const noSeverity = severities.length;

/** Queues a message without a problem. It opens a thread, and is sent after new problems and before replies. */
export async function queueMessage(trx: Knex.Transaction, message: NewMessage): Promise<void> {
  await insertAlert(trx, { ...message, opening: true, severity: noSeverity, findings: 0 });
}

/** Queues a message, and makes its thread unless it exists. */
async function insertAlert(
  trx: Knex.Transaction,
  alert: NewAlert | (NewMessage & Pick<NewAlert, "severity" | "findings"> & { readonly opening: true }),
): Promise<void> {
  await trx.raw(
    `
    WITH added AS (SELECT * FROM jsonb_populate_record(NULL::alerts, ?::jsonb)),
    begun AS (
      INSERT INTO alert_threads (thread, channel, problem_id) SELECT thread, channel, problem_id FROM added
      ON CONFLICT DO NOTHING
    )
    ${insertAdded}
    `,
    [JSON.stringify(alert)],
  );
}
