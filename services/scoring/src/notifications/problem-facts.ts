import type { Knex } from "knex";
import type { Fact } from "../model/fact.ts";
import type { AlertState, Problem } from "../model/problem.ts";
import type { StoredProblem } from "../store/problems.ts";
import { query } from "../store/sql.ts";
import { insertNotifications, readRegistered } from "./outbox.ts";
import { type NotifySettings, type Place, placesOf, takes } from "./routes.ts";
import { silenceOf } from "./silenced.ts";
import { shownDetails } from "./words.ts";

/**
 * Stores the fact that a problem was reported, in the transaction that stores the problem. When it is resolved, each place
 * that got a message about it gets another. While a problem is waived, or its
 * application held, only its resolution is announced.
 *
 * @param settings undefined if there is no destination
 */
export async function announceProblem(
  trx: Knex.Transaction,
  problem: Problem,
  stored: StoredProblem,
  settings: NotifySettings | undefined,
): Promise<AlertState> {
  const ended = stored.thread === null ? await endThreads(trx, stored.problem) : [];
  if (stored.thread === null && ended.length === 0) return "not_needed";
  const silence = stored.thread === null ? undefined : await silenceOf(trx, stored.problem);
  if (silence) return silence;
  if (!settings) return "disabled";
  const fact = factOf(problem, stored);
  const registered = (await readRegistered(trx, settings, [fact]))(fact);
  const common = { problem_id: stored.problem, happened_at: stored.reported_at };
  if (stored.thread !== null) {
    const places = placesOf(settings, fact, registered);
    await insertNotifications(
      trx,
      places.map((place) => ({ ...place, ...common, fact })),
    );
    return places.length > 0 ? "queued" : "no_channel";
  }
  const announced = ended.filter(({ destination }) => takes(settings, destination, fact.type, registered));
  await insertNotifications(
    trx,
    announced.map(({ subject, ...place }) => ({
      ...{ ...place, ...common },
      fact: { ...fact, subject, data: { ...fact.data, opened_at: openedAt(subject) } },
    })),
  );
  return announced.length > 0 ? "queued" : "not_needed";
}

/** The fact that a problem was reported. Of a resolved problem its subject is not known. */
function factOf(problem: Problem, { thread, name, opened_at, reported_at }: StoredProblem): Fact {
  const { env, severity, problem_type, count, details, chat_channel, measured_at } = problem;
  const measured = Math.min(Number(reported_at), measured_at === undefined ? Infinity : Date.parse(measured_at));
  const isNew = Number(opened_at) >= measured;
  return {
    type: count === 0 ? "problem.resolved" : isNew ? "problem.opened" : "problem.changed",
    subject: thread ?? "",
    ...{ ...name, env, severity },
    data: {
      ...{ problem_type, count, details: details.slice(0, shownDetails) },
      ...(chat_channel !== undefined && { chat_channel }),
      ...(opened_at !== null && { opened_at: Number(opened_at) }),
    },
  };
}

/** The time at which the problem was opened, in milliseconds since 1970. The name of the thread holds it. */
function openedAt(thread: string): number {
  return Number(thread.split("@")[1]) * 1_000;
}

/** Ends the threads of a resolved problem at all addresses. */
async function endThreads(trx: Knex, problem: string): Promise<(Place & { readonly subject: string })[]> {
  return query(trx)`
    UPDATE notification_threads
    SET resolved_at = now()
    WHERE problem_id = ${problem}::bigint AND resolved_at IS NULL
    RETURNING subject, destination, address
  `;
}
