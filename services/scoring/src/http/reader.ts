import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream";

/** A connection is closed when nothing is transferred for this long during a request, in milliseconds. */
export const silenceLimitMs = 10_000;

/** Time limit of every reader, in milliseconds, on top of the time at the lowest rate. */
const graceMs = 10_000;

/** Lowest rate, in bytes a second. A slower reader would exceed any scrape timeout in use. */
const lowestRate = 256 * 1_024;

/** Time limit of a reader for this many bytes, in milliseconds. */
export function readLimitMs(bytes: number): number {
  return graceMs + (bytes / lowestRate) * 1_000;
}

/**
 * Ends the answer to a reader that is too slow. Bytes in the buffers of the operating system count as read, because
 * this process holds them no longer.
 *
 * @param bytes length of the whole answer
 * @param onCutOff called when a slow reader is cut off
 */
export function limitReader(
  { req, res }: { readonly req: Pick<IncomingMessage, "socket">; readonly res: ServerResponse },
  bytes: number,
  onCutOff: () => void,
): void {
  req.socket.setTimeout(silenceLimitMs);
  const cutOff = () => {
    onCutOff();
    res.destroy();
  };
  const timer = setTimeout(cutOff, readLimitMs(bytes));
  finished(res, () => clearTimeout(timer));
}
