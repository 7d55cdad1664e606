/** Sends a request and returns the response, as the `fetch` of the runtime does. */
export type Fetch = (request: Request) => Promise<Response>;

/** An answer is longer than its limit. */
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
 * @param maxBytes of an answer, unpacked
 * @param isBounded which answers have the limit; all by default
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

/** The longest delay of a timer, in milliseconds. A timer with a longer one fires at once. */
export const longestTimerMs = 2_147_483_647;

/** Aborts after this number of milliseconds. It may be infinite, which the timer of a signal may not. */
export function after(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(longestTimerMs, Math.max(1, Math.ceil(milliseconds))));
}

/**
 * Resolves as the promise does, or rejects with the signal's reason. Node can lose the signal of a `Request` to the
 * garbage collector, so the signal is watched here too.
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
