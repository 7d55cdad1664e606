import { overloaded } from "../model/errors.ts";

/** The limits of a queue. */
export interface QueueLimits {
  /** Largest number of entries at a time. */
  readonly atOnce: number;
  /** Largest number of waiters; 0 by default. */
  readonly waiting?: number;
  /** Most bytes of the entries at a time, and again of the waiters. A single entry may be larger. */
  readonly bytes?: number;
}

/** A first-in-first-out queue for a limited number of entries at a time. */
export interface Queue {
  /** Whether an entry of this size would be refused now. */
  isFull(bytes?: number): boolean;
  /**
   * Waits for a slot, first in first out.
   *
   * @returns a function that releases the slot
   * @throws ServiceError `overloaded` if too many wait already, or if the signal is aborted before there is a slot
   */
  enter(signal: AbortSignal, bytes?: number): Promise<() => void>;
  /** Runs work in a slot. @throws as `enter`, and errors of the work */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

interface Waiter {
  readonly bytes: number;
  /** Gives the waiter its slot. */
  readonly begin: () => void;
}

export function createQueue({ atOnce, waiting: mostWaiting = 0, bytes: mostBytes = Infinity }: QueueLimits): Queue {
  const waiting = new Set<Waiter>();
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
      beginNext(); // smaller waiters may have waited behind a large one
    };
    const begin = () => {
      leave();
      resolve(take(bytes));
    };
    const entry: Waiter = { bytes, begin };
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
