import { ServiceError } from "../model/errors.ts";

/**
 * Combines look-ups: those that arrive while a statement runs share the next statement. So only one statement runs at a
 * time, and a caller waits for at most two.
 *
 * @param findAll finds the values of these keys; missing keys are left out
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
 * Bounds how many callers wait at the same time, and with them the memory.
 *
 * @param maximum far more than wait at the same time while the other side answers
 * @throws ServiceError `overloaded` beyond the maximum
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
