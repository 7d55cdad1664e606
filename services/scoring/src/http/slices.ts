import type { EventEmitter } from "node:events";

/** How long work may block the event loop at a time, in milliseconds: a fifth of the delay that anybody may notice. */
const sliceMs = 10;

/** For so many turns of the event loop work waits while connections arrive. */
const maxSkipped = 50;

/** Shares the event loop between work and those who wait for it. */
export interface Slices {
  /**
   * To be awaited between the steps of long work. Gives nothing while the slice of this turn of the event loop lasts, and
   * otherwise what resolves in a later turn.
   */
  (): Promise<void> | undefined;
  /** To be awaited before short work that goes before all long work. Gives nothing unless connections arrive. */
  begin(): Promise<void> | undefined;
  /**
   * Lets new connections come first. The event loop accepts one in each of its turns
   * (https://github.com/libuv/libuv/pull/3696), so with a slice of work in each, a new client, such as a health check,
   * would wait for a slice once for every connection before its own.
   *
   * @param listener emits `connection` for each of them
   */
  watch(listener: EventEmitter): void;
}

/**
 * Cuts long work into slices, so that the event loop serves others in between. All work that awaits the function between
 * its steps shares one slice a turn. So however much is under way, it blocks the loop for no longer than a slice and a
 * step of each; and whoever waits gets the slices of the next turns in the order of waiting.
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
      end = now() + sliceMs;
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

/** The slices of this process. */
export const slice: Slices = createSlices();
