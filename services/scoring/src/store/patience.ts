/** Time limit of a call to the store, in milliseconds. Afterwards the caller is refused with a hint to retry. */
export const patienceMs = 5_000;

/**
 * The database ends a transaction that is idle for this long, in milliseconds. So a delayed commit fails, and its rows
 * are free.
 */
export const idleLimitMs = 1_500;

/**
 * A commit is sent at most this long after its request arrived, in milliseconds, so that it has ended before the caller
 * is refused.
 */
export const commitLimitMs: number = patienceMs - idleLimitMs - 250;

/** Time limit for opening a connection, and for waiting for a free one, in milliseconds. */
export const connectLimitMs = 3_000;
