import type { Knex } from "knex";
import { ServiceError } from "../model/errors.ts";
import { query } from "./sql.ts";

/** A key under which a caller's request is executed once. Both fields are SHA-256, in hexadecimal. */
export interface IdempotencyKey {
  /** Hash of the caller and the key that was sent. */
  readonly id: string;
  /** Hash of the request. */
  readonly request: string;
}

/** The answer to a request, or to an earlier one with the same key. */
export interface ExecutedOnce<Answer> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

/** How long a key stays, in days. */
export const idempotencyDays = 1;

/**
 * Executes a request, unless it was executed under this key within the last day: then it returns the first answer. Of
 * two at the same time the second waits for the first. A key whose request failed is free.
 *
 * @param trx the transaction of the request, so that both are stored or neither
 * @param key without it the request is executed each time
 * @throws ServiceError `idempotency-key-reused` if the key was used for another request
 */
export async function executeOnce<Answer extends object>(
  trx: Knex.Transaction,
  key: IdempotencyKey | undefined,
  make: () => Promise<Answer>,
): Promise<ExecutedOnce<Answer>> {
  if (!key) return { answer: await make(), isReplayed: false };
  const claimed = await query(trx)`
    INSERT INTO idempotency_keys (id, request)
    VALUES (decode(${key.id}::text, 'hex'), decode(${key.request}::text, 'hex'))
    ON CONFLICT (id) DO UPDATE SET request = excluded.request, made_at = excluded.made_at
    WHERE idempotency_keys.made_at <= clock_timestamp() - make_interval(hours => 24 * ${idempotencyDays}::int)
    RETURNING id
  `;
  if (claimed.length === 0) return { answer: await firstAnswer<Answer>(trx, key), isReplayed: true };
  const answer = await make();
  await query(trx)`
    UPDATE idempotency_keys SET answer = ${JSON.stringify(answer)}::json WHERE id = decode(${key.id}::text, 'hex')
  `;
  return { answer, isReplayed: false };
}

async function firstAnswer<Answer>(trx: Knex.Transaction, { id, request }: IdempotencyKey): Promise<Answer> {
  const [first] = await query(trx)`
    SELECT answer, request = decode(${request}::text, 'hex') AS same
    FROM idempotency_keys WHERE id = decode(${id}::text, 'hex')
  `;
  if (first.same) return first.answer;
  throw new ServiceError(
    "idempotency-key-reused",
    "this Idempotency-Key was sent with another request within the last day; send a fresh one with each request that repeats none",
  );
}
