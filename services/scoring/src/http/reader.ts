import { finished, type Writable } from "node:stream";

/** Time limit of every reader, in milliseconds, in addition to the time that the answer takes at the lowest rate. */
const graceMs = 10_000;

/** Lowest rate, in bytes a second. A slower reader would exceed any scrape timeout in use. */
const lowestRate = 256 * 1_024;

/** How long a reader may take for so many bytes, in milliseconds. */
export function readLimitMs(bytes: number): number {
  return graceMs + (bytes / lowestRate) * 1_000;
}

/**
 * Ends the answer to a reader that is too slow. Bytes in the buffers of the operating system count as read, because
 * this process keeps them no longer.
 *
 * @param bytes length of the whole answer
 * @param onCutOff called when a reader is cut off
 */
export function limitTime(response: Writable, bytes: number, onCutOff: () => void): void {
  const cutOff = () => {
    onCutOff();
    response.destroy();
  };
  const timer = setTimeout(cutOff, readLimitMs(bytes));
  finished(response, () => clearTimeout(timer));
}
