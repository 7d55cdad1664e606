import type { EventEmitter } from "node:events";

/** How long work may block the event loop at a time, in milliseconds: at most a fifth of a noticeable delay. */
const [shortestMs, longestMs] = [1, 10];

/** Work waits for at most this many turns of the event loop while connections arrive. */
const maxSkipped = 50;

/** Shares the event loop between long work and waiting requests. */
export interface Slices {
  /**
   * To be awaited between the steps of long work. Returns undefined while the slice of this turn of the event loop
   * lasts, otherwise a promise of a later turn.
   */
  (): Promise<void> | undefined;
  /** To be awaited before short work, which precedes all long work. Returns undefined unless connections arrive. */
  begin(): Promise<void> | undefined;
  /**
   * Gives precedence to new connections. The event loop accepts one connection a turn
   * (https://github.com/libuv/libuv/pull/3696). If each turn had a slice of work, a new client, such as a health check,
   * would wait for a slice for every connection before its own.
   *
   * @param listener emits `connection` for each of them
   */
  watch(listener: EventEmitter): void;
}

/**
 * Cuts long work into slices, so that the event loop serves requests in between. All work that awaits the function
 * between its steps shares one slice a turn, so it blocks the loop for at most a slice and one step. Waiters get the
 * slices of the next turns in their order.
 *
 * A slice lasts half as long as the requests since the slice before took, within its limits. So requests wait little for
 * long work, and long work gets a third of the time, or less where the requests of a turn take over 20 ms.
 */
export function createSlices(now: () => number = () => performance.now()): Slices {
  const [short, long]: [(() => void)[], (() => void)[]] = [[], []];
  let [end, skipped] = [Number.NEGATIVE_INFINITY, 0];
  let [isScheduled, isConnecting] = [false, false];

  function wait(line: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      line.push(resolve);
      schedule();
    });
  }

  function schedule(): void {
    if (isScheduled || short.length + long.length === 0) return;
    isScheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    isScheduled = false;
    if (isConnecting && skipped < maxSkipped) skipped++;
    else {
      skipped = 0;
      const start = now();
      end = start + Math.min(Math.max((start - end) / 2, shortestMs), longestMs);
      for (const begin of short.splice(0)) begin();
      long.shift()?.();
    }
    isConnecting = false;
    schedule();
  }

  return Object.assign(() => (now() < end ? undefined : wait(long)), {
    begin: () => (isConnecting || short.length > 0 ? wait(short) : undefined),
    watch(listener: EventEmitter) {
      listener.on("connection", () => {
        isConnecting = true;
      });
    },
  });
}

/** Lets the event loop serve requests, if the slice of this turn is used up. All long work of this process awaits it. */
export const yieldToEventLoop: Slices = createSlices();

/** Takes a step for each item, and lets the event loop serve requests in between. */
export async function inSlices<Item>(items: Iterable<Item>, step: (item: Item) => void): Promise<void> {
  for (const item of items) {
    const turn = yieldToEventLoop();
    if (turn) await turn; // hundreds of thousands of steps would each wait for the next microtask
    step(item);
  }
}
