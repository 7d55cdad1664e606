/** Asks, and gives the answer. */
export type Fetch = (request: Request) => Promise<Response>;

/** An answer that is longer than it may be. */
export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the answer is longer than ${maxBytes / 1_048_576} MiB`);
    this.maxBytes = maxBytes;
  }
}

/**
 * A fetch for an untrusted peer: an answer longer than this number of unpacked bytes breaks off with
 * `AnswerTooLongError` while it is read.
 *
 * @param isBounded which answers; all of them without it
 */
export function bounded(
  fetch: Fetch,
  maxBytes: number,
  isBounded: (response: Response) => boolean = () => true,
): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (!response.body || !isBounded(response)) return response;
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new AnswerTooLongError(maxBytes));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(count), { status, statusText, headers });
  };
}

/** The longest that a timer of a runtime waits, in milliseconds; what is longer goes off at once. */
export const longestTimerMs = 2_147_483_647;

/** Aborts after this number of milliseconds. It may be infinite, which the timer of a signal may not. */
export function after(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(longestTimerMs, Math.max(1, Math.ceil(milliseconds))));
}

/**
 * What a promise comes to, or the signal's reason once it aborts. A runtime may lose the signal of a request: that of a
 * `Request` in Node once the garbage collector was there.
 */
export async function within<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
