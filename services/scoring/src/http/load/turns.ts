import type { EventEmitter } from "node:events";

/**
 * Lets work wait while connections come in. The event loop takes one new connection in each of its turns
 * (https://github.com/libuv/libuv/pull/3696); if it did all the work that has come in a turn, whoever connects, a health
 * check for one, would wait for the work of as many turns as connections came before.
 *
 * @returns what resolves when work on so many bytes may begin: at once while nobody connects, otherwise one after the
 * other, a large one after the more connections
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

/** Work on so many bytes takes as long as a few turns that only take a connection. */
const bytesPerTurn = 2_048;
