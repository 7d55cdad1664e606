import { type Answer, unreachable } from "./answer.ts";
import { after, within } from "./bounds.ts";
import type { Connection, Init } from "./caller.ts";
import { MaturityClientError } from "./errors.ts";

/** A text of any length, as it arrives. */
export interface Stream {
  readonly pieces: AsyncIterable<string>;
}

/**
 * One attempt to begin a stream. The time limit of the attempt ends when the answer begins. Then every piece has a time
 * limit of its own, so that a stream may take as long as its reader.
 *
 * @param type of the content; the service sends no other here
 * @param ending ends the stream, with its reason
 */
export function streamed(
  type: string,
  { address, timeoutMs }: Pick<Connection, "address" | "timeoutMs">,
  ending: AbortSignal | undefined,
  send: (init: Init) => Promise<Answer<unknown>>,
): (init: Init) => Promise<Answer<Stream>> {
  return async ({ headers, signal }) => {
    const stream = new AbortController();
    const end = () => stream.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    const { error, response } = await send({ headers, signal: stream.signal });
    signal.removeEventListener("abort", end);
    if (!response.ok) return { error, response };
    if (!response.body || !response.headers.get("content-type")?.startsWith(type)) {
      stream.abort();
      return { response };
    }
    const next = (reader: Reader) => {
      const limit = after(timeoutMs);
      return within(ending ? AbortSignal.any([ending, limit]) : limit, reader.read());
    };
    const broken = (cause: unknown) => {
      ending?.throwIfAborted();
      const { retryAfterMs: _, inDoubt: __, ...failure } = unreachable(address, cause);
      return new MaturityClientError({ ...failure, message: `the answer broke off: ${failure.message}` });
    };
    return { data: { pieces: piecesOf(response.body, next, broken, () => stream.abort()) }, response };
  };
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  next: (reader: Reader) => ReturnType<Reader["read"]>,
  broken: (cause: unknown) => MaturityClientError,
  end: () => void,
): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = await next(reader).catch((cause: unknown) => {
        throw broken(cause);
      });
      const text = decoder.decode(value, { stream: !done });
      if (text !== "") yield text;
      if (done) return;
    }
  } finally {
    end();
  }
}
