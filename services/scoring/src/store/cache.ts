import { LRUCache } from "lru-cache";

/** Lifetime of a cached answer from its first request on, in milliseconds. */
const lifetimeMs = 15_000;

/** The largest number of cached answers. Each may hold a whole organisation. */
const maxCached = 10;

/** The computation of one answer for all callers that share it. */
export interface Computation<Question> {
  /** The questions of the callers. Further callers join until the computation begins. */
  readonly questions: readonly [Question, ...Question[]];
  /** Aborted when no caller waits any more before the computation begins. */
  readonly signal: AbortSignal;
  /** Must be called right before the store is read. Later callers get a later answer. */
  begin(): void;
}

/** Options of `shareAnswers`. */
export interface Sharing<Question> {
  /** The key of a question; by default all questions share one answer. */
  readonly keyOf?: (question: Question) => string;
  /** Lifetime of an answer whose computation never called `begin`, in milliseconds from its first question on. */
  readonly keptMs?: number;
  /** The largest number of keys. */
  readonly maxKeys?: number;
}

interface Shared<Question, Answer> {
  readonly computation: Computation<Question> & { readonly questions: Question[] };
  readonly gone: AbortController;
  readonly answer: Promise<Answer>;
  state: "waiting" | "begun" | "made";
  /** The number of callers that wait for it. */
  waiting: number;
}

/**
 * Makes a function that computes one answer for all callers with the same key. Of each key, at most one answer is
 * computed and one waits behind it. An error reaches all callers that share the answer, and is not cached.
 *
 * A caller may have a signal. If it is aborted before the computation begins, the caller gets its reason, otherwise the
 * answer.
 */
export function shareAnswers<Question, Answer>(
  make: (computation: Computation<Question>) => Promise<Answer>,
  { keyOf = () => "", keptMs = 0, maxKeys = 1_000 }: Sharing<Question> = {},
): (question: Question, signal?: AbortSignal) => Promise<Answer> {
  const latest = new LRUCache<string, Shared<Question, Answer>>({ max: maxKeys });

  function start(key: string, first: Question): Shared<Question, Answer> {
    const before = latest.peek(key)?.answer;
    const [startedAt, gone] = [performance.now(), new AbortController()];
    const begin = () => {
      shared.state = "begun";
    };
    const computation = { questions: [first] as [Question, ...Question[]], signal: gone.signal, begin };
    const answer = Promise.resolve(before?.catch(() => {})).then(() => {
      gone.signal.throwIfAborted();
      return make(computation);
    });
    const shared: Shared<Question, Answer> = { computation, gone, answer, state: "waiting", waiting: 0 };
    latest.set(key, shared);
    const forget = () => {
      if (latest.peek(key) === shared) latest.delete(key);
    };
    answer.then(() => {
      const restMs = shared.state === "begun" ? 0 : startedAt + keptMs - performance.now();
      shared.state = "made";
      // By a timer, since there may be no further question.
      if (restMs > 0) setTimeout(forget, restMs).unref();
      else forget();
    }, forget);
    return shared;
  }

  function join(key: string, question: Question): Shared<Question, Answer> {
    const found = latest.get(key);
    if (!found || found.state === "begun" || found.gone.signal.aborted) return start(key, question);
    if (found.state === "waiting") found.computation.questions.push(question);
    return found;
  }

  return (question, signal) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const shared = join(keyOf(question), question);
    shared.waiting++;
    if (!signal) return shared.answer;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const stop = () => {
      if (shared.state !== "waiting") return;
      reject(signal.reason);
      if (--shared.waiting === 0) shared.gone.abort(signal.reason);
    };
    signal.addEventListener("abort", stop);
    shared.answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    return promise;
  };
}

/**
 * Makes a function that caches its answers for 15 seconds, so that the pages of one list, and callers with the same
 * question, cost the database one read. Callers share a read under way.
 *
 * @param keyOf the key of a question
 */
export function cacheAnswers<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (question: Question) => Promise<Answer> {
  return shareAnswers(({ questions: [question] }) => ask(question), {
    keyOf,
    keptMs: lifetimeMs,
    maxKeys: maxCached,
  });
}
