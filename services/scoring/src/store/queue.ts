import { overloaded } from "../model/errors.ts";

/** The bounds of a queue. */
export interface QueueLimits {
  /** Largest number of entries at a time. */
  readonly atOnce: number;
  /** Largest number of entries that wait; none by default. */
  readonly waiting?: number;
  /** Most bytes of the entries at a time, and as many again of those that wait. One entry may be larger. */
  readonly bytes?: number;
}

/** Work of one class, of which only so much is done at a time. */
export interface Queue {
  /** Would an entry of this size be refused now? */
  isFull(bytes?: number): boolean;
  /**
   * Waits for room, first in first out.
   *
   * @returns a function that gives the room back
   * @throws ServiceError `overloaded` if too many wait already, or if the signal is aborted before there is room
   */
  enter(signal: AbortSignal, bytes?: number): Promise<() => void>;
  /** Does work when there is room for it. @throws as `enter`, and errors of the work */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

interface Entry {
  readonly bytes: number;
  /** Takes the room. */
  readonly begin: () => void;
}

export function createQueue({ atOnce, waiting: mostWaiting = 0, bytes: mostBytes = Infinity }: QueueLimits): Queue {
  const waiting = new Set<Entry>();
  const taken = { count: 0, bytes: 0 };
  let waitingBytes = 0;

  const fits = (held: number, bytes: number) => held === 0 || held + bytes <= mostBytes;
  const hasRoom = (bytes: number) => taken.count < atOnce && fits(taken.bytes, bytes);
  const isFull = (bytes = 0) =>
    (waiting.size > 0 || !hasRoom(bytes)) && (waiting.size >= mostWaiting || !fits(waitingBytes, bytes));

  function take(bytes: number): () => void {
    taken.count++;
    taken.bytes += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      taken.count--;
      taken.bytes -= bytes;
      beginNext();
    };
  }

  function beginNext(): void {
    for (const { bytes, begin } of waiting) {
      if (!hasRoom(bytes)) return;
      begin();
    }
  }

  function wait(signal: AbortSignal, bytes: number): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = () => {
      signal.removeEventListener("abort", refuse);
      waiting.delete(entry);
      waitingBytes -= bytes;
    };
    const refuse = () => {
      leave();
      reject(overloaded());
      beginNext(); // a large entry may have kept smaller ones waiting
    };
    const begin = () => {
      leave();
      resolve(take(bytes));
    };
    const entry: Entry = { bytes, begin };
    signal.addEventListener("abort", refuse);
    waiting.add(entry);
    waitingBytes += bytes;
    return promise;
  }

  async function enter(signal: AbortSignal, bytes = 0): Promise<() => void> {
    if (signal.aborted || isFull(bytes)) throw overloaded();
    return waiting.size === 0 && hasRoom(bytes) ? take(bytes) : wait(signal, bytes);
  }

  async function run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const leave = await enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return { isFull, enter, run };
}
