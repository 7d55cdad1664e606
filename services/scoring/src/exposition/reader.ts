import { finished, type Writable } from "node:stream";

/** So long a reader may take, in milliseconds, and besides so long as it takes at the lowest rate. */
const graceMs = 10_000;

/** In bytes a second. A reader that is slower would be late for any scrape timeout in use. */
const lowestRate = 256 * 1_024;

/**
 * Ends the answer to a reader that is too slow. What the system has buffered for him counts as taken, since this process
 * keeps it no more.
 *
 * @param bytes of the whole answer
 * @param onCutOff is told if it comes to that
 */
export function limitTime(response: Writable, bytes: number, onCutOff: () => void): void {
  const cutOff = () => {
    onCutOff();
    response.destroy();
  };
  const timer = setTimeout(cutOff, graceMs + (bytes / lowestRate) * 1_000);
  finished(response, () => clearTimeout(timer));
}
