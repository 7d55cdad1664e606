import { ServiceError } from "../model/errors.ts";

/**
 * Lets look-ups that come while one runs share the next one. However many there are, one statement runs at a time, and
 * each caller waits for two of them at the most.
 *
 * @param findAll finds those there are of these keys
 */
export function shareLookUps<Value>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Value>> } | undefined;
  let running: Promise<unknown> = Promise.resolve();

  function begin(): NonNullable<typeof next> {
    const keys = new Set<string>();
    const found = running.then(() => {
      next = undefined;
      return findAll([...keys]);
    });
    running = found.catch(() => {});
    return { keys, found };
  }

  return async (key) => {
    next ??= begin();
    next.keys.add(key);
    return (await next.found).get(key);
  };
}

/**
 * Bounds how many callers wait at a time, and thereby their memory.
 *
 * @param maximum more than ever come together, unless the other side does not answer
 * @throws ServiceError `overloaded` for one more
 */
export function boundWaiting<Question, Answer>(
  maximum: number,
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  let waiting = 0;
  return async (question) => {
    if (waiting >= maximum)
      throw new ServiceError("overloaded", "too many tokens wait to be looked at; try again shortly");
    waiting++;
    try {
      return await ask(question);
    } finally {
      waiting--;
    }
  };
}
