import { LRUCache } from "lru-cache";

/** How long a kept answer is used from the moment on at which it was asked for, in milliseconds. */
const usualMs = 15_000;

/** How many answers are kept. Each may hold a whole organisation. */
const maxKept = 10;

/** The making of an answer for all that share it. */
export interface Making<Question> {
  /** What they ask. Until the making begins, others join. */
  readonly questions: readonly [Question, ...Question[]];
  /** Aborted when nobody waits any more for the making to begin. */
  readonly signal: AbortSignal;
  /** To be called right before the store is read. Those who ask afterwards get a later answer. */
  begin(): void;
}

/** How answers are shared. */
export interface Sharing<Question, Answer> {
  /** Distinguishes questions; by default all share one answer. */
  readonly keyOf?: (question: Question) => string;
  /** For how long an answer whose making never called `begin` is used, in milliseconds from its first question on. */
  readonly msOf?: (answer: Answer) => number;
  /** For how many keys answers are shared. */
  readonly maxKeys?: number;
}

interface Shared<Question, Answer> {
  readonly making: Making<Question> & { readonly questions: Question[] };
  readonly gone: AbortController;
  readonly answer: Promise<Answer>;
  state: "waiting" | "begun" | "made";
  /** How many wait for it. */
  waiting: number;
}

/**
 * Makes a function that gives those who ask for the same one answer. Of each key, at most one answer is being made and one
 * waits until that is there. All who share the answer get its error, which is not cached.
 *
 * A caller may have a signal. If it is aborted before the making begins, the caller gets its reason; afterwards he gets the
 * answer all the same.
 */
export function shareAnswers<Question, Answer>(
  make: (making: Making<Question>) => Promise<Answer>,
  { keyOf = () => "", msOf = () => 0, maxKeys = 1_000 }: Sharing<Question, Answer> = {},
): (question: Question, signal?: AbortSignal) => Promise<Answer> {
  const latest = new LRUCache<string, Shared<Question, Answer>>({ max: maxKeys });

  function start(key: string, first: Question): Shared<Question, Answer> {
    const before = latest.peek(key)?.answer;
    const [asked, gone] = [performance.now(), new AbortController()];
    const begin = () => {
      shared.state = "begun";
    };
    const making = { questions: [first] as [Question, ...Question[]], signal: gone.signal, begin };
    const answer = Promise.resolve(before?.catch(() => {})).then(() => {
      gone.signal.throwIfAborted();
      return make(making);
    });
    const shared: Shared<Question, Answer> = { making, gone, answer, state: "waiting", waiting: 0 };
    latest.set(key, shared);
    const forget = () => {
      if (latest.peek(key) === shared) latest.delete(key);
    };
    answer.then((made) => {
      const restMs = shared.state === "begun" ? 0 : asked + msOf(made) - performance.now();
      shared.state = "made";
      // By a timer, since nobody may ask for it again.
      if (restMs > 0) setTimeout(forget, restMs).unref();
      else forget();
    }, forget);
    return shared;
  }

  function join(key: string, question: Question): Shared<Question, Answer> {
    const found = latest.get(key);
    if (!found || found.state === "begun" || found.gone.signal.aborted) return start(key, question);
    if (found.state === "waiting") found.making.questions.push(question);
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
 * Makes a function that keeps its answers for 15 seconds, so that the pages of one list, and callers who ask for the same,
 * cost the database one reading. A caller who asks while a reading is under way shares it.
 *
 * @param keyOf distinguishes questions
 * @param msOf for how long an answer is kept instead, in milliseconds
 */
export function cacheAnswers<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
  msOf: (answer: Answer) => number | undefined = () => undefined,
): (question: Question) => Promise<Answer> {
  return shareAnswers(({ questions: [question] }) => ask(question), {
    keyOf,
    msOf: (answer) => msOf(answer) ?? usualMs,
    maxKeys: maxKept,
  });
}
