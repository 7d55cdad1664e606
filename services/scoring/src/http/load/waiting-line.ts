/** Entries that wait for room, in the order of arrival. */
export interface WaitingLine {
  /**
   * Calls exactly one of the two functions: `letIn` as soon as there is room, which may be at once, or `refuse` if that
   * takes too long or too many wait already.
   *
   * @returns a function that ends the waiting, so that neither is called
   */
  enter(bytes: number, letIn: () => void, refuse: () => void): () => void;
  /** To be called whenever room has become free. */
  letInSoon(): void;
}

/** Entries that were let in but have not taken their room yet. */
export interface OnTheirWay {
  readonly count: number;
  readonly bytes: number;
}

/**
 * @param maximum how many entries may wait
 * @param waitMs how long an entry waits, in milliseconds
 * @param hasRoom whether there is room for this many bytes, beside the entries on their way
 */
export function createWaitingLine(
  maximum: number,
  waitMs: number,
  hasRoom: (bytes: number, onTheirWay: OnTheirWay) => boolean,
): WaitingLine {
  const waiting = new Set<{ readonly bytes: number; readonly goIn: () => void }>();
  let letting = false;

  /** Runs at most once in a turn of the event loop, in which entries that are let in take their room. */
  function letInSoon(): void {
    if (letting || waiting.size === 0) return;
    letting = true;
    setImmediate(() => {
      letting = false;
      let [count, bytes] = [0, 0];
      for (const first of waiting) {
        if (!hasRoom(first.bytes, { count, bytes })) return;
        count++;
        bytes += first.bytes;
        first.goIn();
      }
    });
  }

  return {
    enter(bytes, letIn, refuse) {
      if (hasRoom(bytes, { count: 0, bytes: 0 })) letIn();
      else if (waiting.size >= maximum) refuse();
      else {
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(one);
        };
        const one = {
          bytes,
          goIn() {
            leave();
            letIn();
          },
        };
        const timer = setTimeout(() => {
          leave();
          if (hasRoom(bytes, { count: 0, bytes: 0 })) letIn();
          else refuse();
        }, waitMs);
        waiting.add(one);
        return leave;
      }
      return () => {};
    },
    letInSoon,
  };
}
