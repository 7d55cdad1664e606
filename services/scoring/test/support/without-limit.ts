import type { Save } from "../../src/store/writing/batcher.ts";

/** A save without its time limit, for tests whose statements may take long on a busy machine. */
export function withoutLimit<Value, Answer>(save: Save<Value, Answer>): Save<Value, Answer> {
  return (value, signal = new AbortController().signal) => save(value, signal);
}
