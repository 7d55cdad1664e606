import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventCounter } from "./event-counter.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counter(maxNames: number) {
  const logged: string[] = [];
  const note = createEventCounter<string>({ everyMs: 60_000, maxNames }, (name, count, last) => {
    logged.push(`${name} ${count} ${last}`);
  });
  return { note, logged };
}

test("the first of each name is logged at once, and how many more in each period while there are any", () => {
  const { note, logged } = counter(10);
  for (const last of ["a", "b", "c"]) note("one", last);
  note("two", "a");
  expect(logged).toEqual(["one 1 a", "two 1 a"]);
  vi.advanceTimersByTime(60_000);
  expect(logged.splice(0)).toEqual(["one 1 a", "two 1 a", "one 2 c"]);
  note("one", "d");
  note("two", "b");
  expect(logged.splice(0)).toEqual(["two 1 b"]);
  vi.advanceTimersByTime(60_000);
  expect(logged.splice(0)).toEqual(["one 1 d"]);
  vi.advanceTimersByTime(60_000);
  note("one", "e");
  expect(logged).toEqual(["one 1 e"]);
});

test("a million names leave as many lines as are logged apart, and one for the others", () => {
  const { note, logged } = counter(100);
  for (let name = 0; name < 1_000_000; name++) note(String(name), "x");
  expect(logged).toHaveLength(101);
  expect(logged.at(-1)).toBe("others 1 x");
  expect(vi.getTimerCount()).toBe(101);
  vi.advanceTimersByTime(60_000);
  expect(logged.slice(101)).toEqual(["others 999899 x"]);
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
});
