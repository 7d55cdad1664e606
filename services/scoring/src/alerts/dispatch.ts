import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { withoutRow } from "../store/database.ts";
import { forgetOld } from "./dead.ts";
import { type DeliveryDependencies, deliver, logUnreachable, sendable, type Turn } from "./delivery.ts";

/** How fast messages follow each other, in seconds. */
export interface Pace {
  /** Pause between two messages to one channel. */
  readonly rest: number;
  /** Pause between two looks into the queue. */
  readonly look: number;
}

/** Slack accepts about one message a second and channel: https://docs.slack.dev/apis/web-api/rate-limits */
export const slackPace: Pace = { rest: 1, look: 1 };

/** Number of channels that one process serves at the same time. */
const maxChannels = 1_000;

/**
 * A turn ends after this many seconds even if its process does not end it, because the process is then taken for dead.
 * One call to the chat service takes at most a third of this.
 */
const turnSeconds = 30;

/** How long given-up alerts are kept, in days. */
const keptDays = 90;

/** Pause between two clean-ups, in milliseconds. */
const tidyMs = 60_000;

/**
 * Delivers queued alerts, whichever process queued them. A channel that waits or fails does not delay any other
 * channel.
 *
 * @returns a function that stops the delivery. It waits at most this many milliseconds for messages under way.
 */
export function startDispatch(
  deps: Omit<DeliveryDependencies, "rest"> & { readonly pace?: Pace | undefined },
): (timeoutMs: number) => Promise<void> {
  const { database, logger, pace = slackPace } = deps;
  const inHand = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let pause = new AbortController();
  let tidied = -tidyMs;

  async function takeAll(): Promise<void> {
    const limit = maxChannels - inHand.size;
    const turns = await takeTurns(database.alerts, { except: [...inHand.keys()], limit, seconds: turnSeconds });
    for (const turn of turns) {
      const delivery = deliver({ ...deps, rest: pace.rest }, turn, stopping.signal)
        .catch((error) =>
          logger.error(
            { err: withoutRow(error), channel: turn.channel },
            "the turn of a channel broke off; it comes again",
          ),
        )
        .finally(() => {
          inHand.delete(turn.channel);
          setTimeout(() => pause.abort(), pace.rest * 1_000).unref();
        });
      inHand.set(turn.channel, delivery);
    }
  }

  async function tidy(): Promise<void> {
    if (performance.now() - tidied < tidyMs) return;
    await forgetOld(database.alerts, keptDays);
    tidied = performance.now();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tidy()
        .then(takeAll)
        .catch((error) => logUnreachable(logger, error));
      await sleep(pace.look * 1_000, undefined, { signal: pause.signal }).catch(() => {});
      pause = new AbortController();
    }
  }

  const running = run();
  return async (timeoutMs) => {
    stopping.abort();
    pause.abort();
    const ended = running.then(() => Promise.all(inHand.values()));
    await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
  };
}

/**
 * Takes a turn in each channel that has something to send and is not busy.
 *
 * @param options.except channels in which this process has a turn already
 * @param options.limit the largest number of turns to take
 * @param options.seconds when the turns end if nobody ends them before
 */
async function takeTurns(
  knex: Knex,
  { except, limit, seconds }: { except: readonly string[]; limit: number; seconds: number },
): Promise<Turn[]> {
  const { rows } = await knex.raw(
    `
    WITH taken AS (
      INSERT INTO alert_channels AS known (channel, busy_until)
      SELECT channel, now() + make_interval(secs => ?::float8)
      FROM (SELECT DISTINCT channel FROM alerts AS waiting WHERE ${sendable}) AS due
      LEFT JOIN alert_channels AS busy USING (channel)
      WHERE coalesce(busy.busy_until <= now(), true) AND channel <> ALL (?::text[])
      ORDER BY channel
      LIMIT ?::int
      ON CONFLICT (channel) DO UPDATE SET busy_until = excluded.busy_until WHERE known.busy_until <= now()
      RETURNING channel, busy_until
    )
    SELECT channel, busy_until::text AS until FROM taken
    `,
    [seconds, [...except], limit],
  );
  return rows;
}
