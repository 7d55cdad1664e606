import type { Knex } from "knex";
import { ServiceError } from "../model/errors.ts";

/** A key under which a caller makes something once. Both are SHA-256, in hexadecimal. */
export interface IdempotencyKey {
  /** Of the caller and his key. */
  readonly id: string;
  /** Of the request. */
  readonly request: string;
}

/** What a request made, or what an earlier one with the same key had made. */
export interface MadeOnce<Answer> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

/** How long a key is kept, in days. */
export const keptDays = 1;

/**
 * Makes something, unless it was made under this key within the last day: then the first answer is given again. Of two at
 * the same time the second waits until the first has ended. A key of which nothing was made is free.
 *
 * @param trx the transaction of what is made, so that both are stored or neither
 * @param key without one it is made each time
 * @throws ServiceError `idempotency-key-reused` if the key was used for another request
 */
export async function makeOnce<Answer extends object>(
  trx: Knex.Transaction,
  key: IdempotencyKey | undefined,
  make: () => Promise<Answer>,
): Promise<MadeOnce<Answer>> {
  if (!key) return { answer: await make(), isReplayed: false };
  const claimed = await trx.raw(
    `
    INSERT INTO idempotency_keys (id, request) VALUES (decode(?::text, 'hex'), decode(?::text, 'hex'))
    ON CONFLICT (id) DO UPDATE SET request = excluded.request, made_at = excluded.made_at
    WHERE idempotency_keys.made_at <= clock_timestamp() - make_interval(hours => 24 * ${keptDays})
    RETURNING id
    `,
    [key.id, key.request],
  );
  if (claimed.rows.length === 0) return { answer: await firstAnswer<Answer>(trx, key), isReplayed: true };
  const answer = await make();
  await trx.raw("UPDATE idempotency_keys SET answer = ?::json WHERE id = decode(?::text, 'hex')", [
    JSON.stringify(answer),
    key.id,
  ]);
  return { answer, isReplayed: false };
}

async function firstAnswer<Answer>(trx: Knex.Transaction, { id, request }: IdempotencyKey): Promise<Answer> {
  const { rows } = await trx.raw(
    `SELECT answer, request = decode(?::text, 'hex') AS same FROM idempotency_keys WHERE id = decode(?::text, 'hex')`,
    [request, id],
  );
  if (rows[0].same) return rows[0].answer;
  throw new ServiceError(
    "idempotency-key-reused",
    "this Idempotency-Key was sent with another request within the last day; send a fresh one with each request that repeats none",
  );
}
