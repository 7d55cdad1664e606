import { setImmediate as turn } from "node:timers/promises";

/** How long work may block the event loop at a time, in milliseconds: a fifth of the delay that anybody may notice. */
const sliceMs = 10;

/**
 * Cuts long work into slices, so that the event loop serves others in between. Work that awaits the function between
 * its steps never blocks the loop for longer than a slice and one step.
 *
 * @returns a function that gives nothing while the slice lasts, and otherwise what resolves in the next turn of the loop
 */
export function createSlices(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let end = now() + sliceMs;
  const begin = async () => {
    await turn();
    end = now() + sliceMs;
  };
  return () => (now() < end ? undefined : begin());
}
