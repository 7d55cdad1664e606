/** How long a call to the store may take before the caller gets 503, in milliseconds. */
export const patienceMs = 5_000;

/**
 * The database ends a transaction that waits for its next statement for this long, in milliseconds. So a commit that is
 * held up on its way fails, and the rows are free for others.
 */
export const idleLimitMs = 1_500;

/**
 * A commit is sent at most this long after its caller arrived, in milliseconds, so that it is decided before the caller
 * is refused.
 */
export const commitLimitMs: number = patienceMs - idleLimitMs - 250;

/** Time limit for opening a connection, and for waiting for a free one, in milliseconds. */
export const connectLimitMs = 3_000;
