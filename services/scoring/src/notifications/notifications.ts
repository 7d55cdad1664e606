import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { FactStore, FactType } from "../model/fact.ts";
import type { AlertState, Problem } from "../model/problem.ts";
import type { Database } from "../store/database.ts";
import { loggable } from "../store/failures.ts";
import type { StoredProblem } from "../store/problems.ts";
import { noteProblem } from "../store/reported-changes.ts";
import { deleteOld, endUndeliverable, noDestination } from "./dead-letters.ts";
import { deadLetter, deliver, type Lease, logUnreachable, takeLeases } from "./delivery.ts";
import { createCounters, watchOutbox } from "./metrics.ts";
import { createFactStore } from "./outbox.ts";
import { announceProblem } from "./problem-facts.ts";
import { mayTake, type NotifySettings } from "./routes.ts";
import { dropSilenced } from "./silenced.ts";

/**
 * Notifications. `outbox.ts` stores facts for the places that `routes.ts` finds; this file decides when a place gets its
 * next message; `delivery.ts` sends it and stores the result; `kinds/` has one file for each kind of destination.
 */
export interface Notifications {
  readonly facts: FactStore;
  /** Whether facts about scores and levels may go anywhere. If not, nothing needs to find them. */
  readonly takesStandings: boolean;
  /** Stores the fact that a problem was reported, in the transaction that stores the problem. */
  announceProblem(trx: Knex.Transaction, problem: Problem, stored: StoredProblem): Promise<AlertState>;
  /** Stops sending. Waits at most this many milliseconds for messages under way; other messages stay in the outbox. */
  stop(timeoutMs: number): Promise<void>;
}

/** The dependencies of notifications. */
export interface NotificationDependencies {
  readonly database: Pick<Database, "notifications">;
  /** Absent without a destination. Then nothing is stored or sent. */
  readonly settings: NotifySettings | undefined;
  /** Gets the metrics of notifications. */
  readonly registry: Registry;
  readonly logger: Logger;
  readonly pace?: Pace | undefined;
}

/** The pauses of the sender, in seconds. */
export interface Pace {
  /** Pause between two messages to one address; by default that of its destination. */
  readonly rest?: number;
  /** Pause between two looks into the outbox. */
  readonly poll: number;
}

const shippedPace: Pace = { poll: 1 };

/** How long dead letters are kept, in days. */
const keptDays = 90;

/** Pause between two deletions of old rows, in milliseconds. */
const cleanUpMs = 60_000;

const standingTypes = ["score.dropped", "level.lost", "level.reached"] as const satisfies readonly FactType[];

/** Starts sending what is in the outbox, whichever instance stored it. A place that waits or fails delays no other one. */
export function startNotifications({
  database,
  settings,
  registry,
  logger,
  pace = shippedPace,
}: NotificationDependencies): Notifications {
  const { notifications: knex } = database;
  const destinations = [...(settings?.destinations.keys() ?? [])];
  const counters = createCounters(registry, destinations);
  const storing: Pick<Notifications, "facts" | "takesStandings" | "announceProblem"> = {
    facts: createFactStore(settings),
    takesStandings: settings !== undefined && standingTypes.some((type) => mayTake(settings, type)),
    announceProblem: async (trx, problem, stored) => {
      if (storing.takesStandings) await noteProblem(trx, stored.problem);
      return announceProblem(trx, problem, stored, settings);
    },
  };
  if (!settings) return { ...storing, stop: () => Promise.resolve() };
  watchOutbox(registry, knex, destinations);
  const delivery = { knex, settings, counters, logger, rest: pace.rest };
  const sending = new Map<Lease, Promise<void>>();
  const stopping = new AbortController();
  let pause = new AbortController();
  let [cleanUpAt, dropAt] = [0, 0];

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await poll().catch((error) => logUnreachable(logger, error));
      await sleep(pace.poll * 1_000, undefined, { signal: pause.signal }).catch(() => {});
      pause = new AbortController();
    }
  }

  async function poll(): Promise<void> {
    if (performance.now() >= cleanUpAt) {
      await deleteOld(knex, keptDays);
      for (const { id, destination, address } of await endUndeliverable(knex, destinations)) {
        logger.error({ notification: id, destination, address, reason: noDestination }, deadLetter);
        counters.dead.inc({ destination });
      }
      cleanUpAt = performance.now() + cleanUpMs;
    }
    // A message that was sent wakes this at once, and looking at all that waits each time would delay a long outbox.
    if (performance.now() >= dropAt) {
      await dropSilenced(knex);
      dropAt = performance.now() + pace.poll * 1_000;
    }
    for (const lease of await takeLeases(knex, { destinations: delivery.settings.destinations }, [...sending.keys()])) {
      sending.set(lease, send(lease));
    }
  }

  async function send(lease: Lease): Promise<void> {
    const { destination, address } = lease;
    const rest = await deliver(delivery, lease, stopping.signal).catch((error) => {
      logger.error(
        { err: loggable(error), destination, address },
        "sending to a destination failed; it is tried again when the lease ends",
      );
      return 0;
    });
    sending.delete(lease);
    setTimeout(() => pause.abort(), rest * 1_000).unref();
  }

  const running = run();
  return {
    ...storing,
    async stop(timeoutMs) {
      stopping.abort();
      pause.abort();
      const ended = running.then(() => Promise.all(sending.values()));
      await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
}
