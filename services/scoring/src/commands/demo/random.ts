import { hash } from "node:crypto";

/** Gives numbers from 0 up to 1, the same ones for the same name (mulberry32). */
export function randomOf(name: string): () => number {
  let state = Number.parseInt(hash("sha256", name).slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
