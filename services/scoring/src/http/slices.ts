import { setImmediate as turn } from "node:timers/promises";

/** So long work may hold the event loop in one go, in milliseconds: a fifth of what anybody may wait for it. */
const sliceMs = 10;

/**
 * Cuts long work into slices, between which the event loop serves everybody else. Work that calls the function between any
 * two of its steps holds the loop for no longer than a slice and a step.
 *
 * @returns what resolves at once while the slice lasts, and otherwise in the next turn of the loop
 */
export function createSlices(now: () => number = () => performance.now()): () => Promise<void> {
  let end = now() + sliceMs;
  return async () => {
    if (now() < end) return;
    await turn();
    end = now() + sliceMs;
  };
}
