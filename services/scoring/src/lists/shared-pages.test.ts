import { expect, test } from "vitest";
import { createSharedPages, type PageText } from "./shared-pages.ts";

/** Pages by a clock that stands, which are made when they are told to. */
function pages() {
  let now = 0;
  const shared = createSharedPages(() => now);
  const made: PageText[] = [];
  const waiting: { begin: () => void; waits: () => boolean; end: (error?: Error) => void }[] = [];
  return {
    shared,
    made,
    at: (time: number) => {
      now = time;
    },
    async ask(key: string, since: number, waits = () => true) {
      const page = shared.take(key, { since, waits }, (making) => {
        const { promise, resolve, reject } = Promise.withResolvers<PageText>();
        const page = { text: `${key} ${made.length}`, end: undefined };
        made.push(page);
        waiting.push({ ...making, end: (error) => (error ? reject(error) : resolve(page)) });
        return promise;
      });
      page.catch(() => {});
      await Promise.resolve();
      return page.then(({ text }) => text);
    },
    next: () => waiting.shift() ?? expect.unreachable(),
  };
}

test("streams get one page if it is read after each of them began, also when it is there already", async () => {
  const { ask, at, next, made } = pages();
  const first = ask("a", 0);
  const second = ask("a", 5);
  await Promise.resolve();
  const making = next();
  at(10);
  making.begin();
  const third = ask("a", 7);
  making.end();
  expect(await Promise.all([first, second, third, ask("a", 10)])).toEqual(["a 0", "a 0", "a 0", "a 0"]);
  expect(made).toHaveLength(1);
});

test("a stream that began after the reading of a page gets a later one, and so do all after it", async () => {
  const { ask, at, next } = pages();
  const first = ask("a", 0);
  await Promise.resolve();
  at(10);
  const making = next();
  making.begin();
  making.end();
  const later = ask("a", 11);
  await Promise.resolve();
  at(12);
  const again = next();
  again.begin();
  again.end();
  expect(await Promise.all([first, later, ask("a", 0)])).toEqual(["a 0", "a 1", "a 1"]);
});

test("other pages are not shared, and none is once all are forgotten", async () => {
  const { ask, next, shared, made } = pages();
  const both = [ask("a", 0), ask("b", 0)];
  await Promise.resolve();
  for (const _ of both) next().end();
  expect(await Promise.all(both)).toEqual(["a 0", "b 1"]);
  shared.clear();
  ask("a", 0);
  await Promise.resolve();
  expect(made).toHaveLength(3);
});

test("a page is wanted while one of its readers is there, and an error is not kept", async () => {
  const { ask, next, made } = pages();
  let [isHere, isThere] = [true, true];
  const first = ask("a", 0, () => isHere);
  const second = ask("a", 0, () => isThere);
  await Promise.resolve();
  const making = next();
  isHere = false;
  expect(making.waits()).toBe(true);
  isThere = false;
  expect(making.waits()).toBe(false);
  making.end(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await expect(second).rejects.toThrow("gone");
  ask("a", 0);
  await Promise.resolve();
  expect(made).toHaveLength(2);
});
