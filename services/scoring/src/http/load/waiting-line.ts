/** Who waits until there is room for them, in the order in which they came. */
export interface WaitingLine {
  /**
   * Calls one of the two: `letIn` as soon as there is room, at once if there is, otherwise `refuse` when that took too long,
   * or at once when too many wait already.
   *
   * @returns what ends the waiting, so that neither is called any more
   */
  enter(bytes: number, letIn: () => void, refuse: () => void): () => void;
  /** To be called when room was made. */
  letInSoon(): void;
}

/** What was let in but has not taken its room yet. */
export interface OnTheirWay {
  readonly count: number;
  readonly bytes: number;
}

/**
 * @param maximum how many may wait
 * @param waitMs how long, in milliseconds
 * @param hasRoom is there room for so many bytes, beside those that are on their way?
 */
export function createWaitingLine(
  maximum: number,
  waitMs: number,
  hasRoom: (bytes: number, onTheirWay: OnTheirWay) => boolean,
): WaitingLine {
  const waiting = new Set<{ readonly bytes: number; readonly goIn: () => void }>();
  let letting = false;

  /** Once in a turn of the event loop, in which those that are let in take their room. */
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
