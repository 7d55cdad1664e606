import type { Knex } from "knex";
import { shareAnswers } from "./cache.ts";
import { answerOf } from "./health-check.ts";

/** How far a replica is behind its primary. */
export interface Lag {
  /** For how long the replica has lacked a change of the primary, in seconds; 0 if it lacks none. */
  readonly seconds: number;
  /** Bytes of the write-ahead log that the replica has still to replay. */
  readonly bytes: number;
}

/**
 * The largest number of noted positions. Beyond it, as with a replica that is away for hours, those in the middle are
 * dropped.
 */
const maxPositions = 1_000;

/**
 * Makes a function that measures how far a replica is behind. Each call notes the position of the primary and asks the
 * replica for the position that it has replayed. The oldest noted position that the replica has not reached shows for
 * how long it is behind. So the answer is exact to the time between two calls, needs only this process' clock, and an
 * idle primary shows no lag. While the replica does not answer, its last answer counts. Simultaneous callers share one
 * measurement.
 *
 * @param now in milliseconds
 * @returns undefined until the replica has answered once
 */
export function createLagMeter(
  primary: Knex,
  replica: Knex,
  now: () => number = () => performance.now(),
): () => Promise<Lag | undefined> {
  const positions: { readonly at: number; readonly position: bigint }[] = [];
  let newest = 0n;
  let replayed: bigint | undefined;

  async function measure(): Promise<Lag | undefined> {
    const at = now();
    newest = (await askPosition(primary, "SELECT pg_current_wal_lsn()::text AS position")) ?? newest;
    if (newest > (positions.at(-1)?.position ?? replayed ?? 0n)) positions.push({ at, position: newest });
    if (positions.length > maxPositions) positions.splice(1, 1);
    replayed = (await askPosition(replica, "SELECT pg_last_wal_replay_lsn()::text AS position")) ?? replayed;
    if (replayed === undefined) return undefined;
    while (positions[0] && positions[0].position <= replayed) positions.shift();
    const [oldest] = positions;
    if (!oldest) return { seconds: 0, bytes: 0 };
    return { seconds: (now() - oldest.at) / 1_000, bytes: Number(newest - replayed) };
  }

  const share = shareAnswers<void, Lag | undefined>(measure);
  return () => share();
}

/** Undefined if there is no answer in time, or no position. */
async function askPosition(knex: Knex, sql: string): Promise<bigint | undefined> {
  const answer = await answerOf<{ rows: { position: string | null }[] }>(knex.raw(sql));
  const position = answer?.rows[0]?.position;
  return position ? positionOf(position) : undefined;
}

/** A position of the write-ahead log, such as `16/B374D848`, as a number of bytes. */
export function positionOf(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
