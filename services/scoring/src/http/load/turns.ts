import type { EventEmitter } from "node:events";

/**
 * Delays work while connections arrive. The event loop accepts one new connection in each of its turns
 * (https://github.com/libuv/libuv/pull/3696). If each turn also did all pending work, a new client, such as a health
 * check, would wait for that work once for every connection before its own.
 *
 * @returns a function that resolves when work on this many bytes may begin: at once if no connection arrives, otherwise
 * one after the other, after more turns for larger work
 */
export function createTurns(listener: EventEmitter): (bytes: number) => Promise<void> {
  const waiting: { turns: number; begin: () => void }[] = [];
  let connected = false;
  listener.on("connection", () => {
    connected = true;
  });

  function turn(): void {
    const [first] = waiting;
    if (!connected) for (const { begin } of waiting.splice(0)) begin();
    else if (first && first.turns-- <= 0) waiting.shift()?.begin();
    connected = false;
    if (waiting.length > 0) setImmediate(turn);
  }

  return (bytes) => {
    if (!connected && waiting.length === 0) return Promise.resolve();
    if (waiting.length === 0) setImmediate(turn);
    return new Promise((begin) => waiting.push({ turns: Math.floor(bytes / bytesPerTurn), begin }));
  };
}

/** Bytes whose work takes as long as a few turns that only accept a connection. */
const bytesPerTurn = 2_048;
