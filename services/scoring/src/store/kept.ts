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
  const kept = new Map<string, { readonly answer: Promise<Answer>; endsAt: number }>();
  return (question) => {
    const key = keyOf(question);
    const found = kept.get(key);
    const now = performance.now();
    if (found && now < found.endsAt) return found.answer;
    const entry = { answer: ask(question), endsAt: Number.POSITIVE_INFINITY };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    entry.answer.then(
      (answer) => {
        entry.endsAt = now + (msOf(answer) ?? usualMs);
      },
      () => {
        entry.endsAt = 0;
      },
    );
    return entry.answer;
  };
}
