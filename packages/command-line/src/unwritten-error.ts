import { reasonOf } from "./files.ts";

/** A result that could not be written, or not to its end. The work itself is done. */
export class UnwrittenError extends Error {
  override readonly name = "UnwrittenError";

  /** @param place what error messages call that which could not be written */
  constructor(place: string, cause: unknown) {
    super(`${place} cannot be written: ${reasonOf(cause, new Map())}`, { cause });
  }
}

const gone: readonly unknown[] = ["EPIPE", "ECONNRESET"];

/** Whether the reader of a stream has closed the pipe or the socket. It may do so when it has enough, as `head` does. */
export function isReaderGone(error: unknown): boolean {
  return gone.includes(Object(error).code);
}
