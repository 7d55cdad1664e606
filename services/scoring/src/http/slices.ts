/** How long work may block the event loop at a time, in milliseconds: a fifth of the delay that anybody may notice. */
const sliceMs = 10;

/** Gives nothing while the slice of this turn of the event loop lasts, and otherwise what resolves in a later turn. */
export type Slice = () => Promise<void> | undefined;

/**
 * Cuts long work into slices, so that the event loop serves others in between. All work that awaits the function between
 * its steps shares one slice a turn. So however much is under way, it blocks the loop for no longer than a slice and a
 * step of each; and whoever waits gets the slices of the next turns in the order of waiting.
 */
export function createSlices(now: () => number = () => performance.now()): Slice {
  const waiting: (() => void)[] = [];
  let end = Number.NEGATIVE_INFINITY;
  const beginNext = () => {
    end = now() + sliceMs;
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(beginNext);
  };
  return () => {
    if (now() < end) return undefined;
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(beginNext);
    });
  };
}

/** The slices of this process. */
export const slice: Slice = createSlices();
