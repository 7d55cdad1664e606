/** How long a call to the store may take before the caller is told to try again, in milliseconds. */
export const patienceMs = 5_000;

/**
 * The database ends a transaction that waits so long for what comes next, in milliseconds. A commit that is held up on its
 * way finds its transaction ended, and the rows are free for others.
 */
export const idleLimitMs = 1_500;

/** A commit is sent at the latest so long after its caller came, so that one held up is over before the caller is refused. */
export const commitLimitMs: number = patienceMs - idleLimitMs - 250;

/** A statement that begins later has no time left. A database that works may stall for two seconds at a checkpoint. */
export const beginLimitMs: number = commitLimitMs - 250;

/** So long a connection may take to open, and a call may wait for a free one. */
export const connectLimitMs = 3_000;
