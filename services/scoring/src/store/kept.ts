import { LRUCache } from "lru-cache";

/** How long an answer is used from the moment on at which it was asked for, in milliseconds. */
const usualMs = 15_000;

/** How many answers are kept. Each may hold a whole organisation. */
const maxKept = 10;

/**
 * Makes a function that keeps its answers for 15 seconds, so that the pages of one list, and callers who ask for the same,
 * cost the database one reading. A caller who asks while a reading is under way shares it. Errors are not kept.
 *
 * @param keyOf tells questions apart
 * @param msOf for how long an answer is kept instead, in milliseconds
 */
export function keepAnswers<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
  msOf: (answer: Answer) => number | undefined = () => undefined,
): (question: Question) => Promise<Answer> {
  const kept = new LRUCache<string, Promise<Answer>>({ max: maxKept });
  return (question) => {
    const key = keyOf(question);
    const found = kept.get(key);
    if (found) return found;
    const began = performance.now();
    const answer = ask(question);
    kept.set(key, answer);
    const forget = () => {
      if (kept.peek(key) === answer) kept.delete(key);
    };
    answer.then((made) => {
      const rest = began + (msOf(made) ?? usualMs) - performance.now();
      // By a timer, since nobody may ask for it again.
      if (rest > 0) setTimeout(forget, rest).unref();
      else forget();
    }, forget);
    return answer;
  };
}
