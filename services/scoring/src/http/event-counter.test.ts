import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventCounter } from "./event-counter.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counter(maxNames: number) {
  const written: string[] = [];
  const note = createEventCounter<string>({ everyMs: 60_000, maxNames }, (name, count, last) => {
    written.push(`${name} ${count} ${last}`);
  });
  return { note, written };
}

test("the first of each name is written at once, and how many more in each period while there are any", () => {
  const { note, written } = counter(10);
  for (const last of ["a", "b", "c"]) note("one", last);
  note("two", "a");
  expect(written).toEqual(["one 1 a", "two 1 a"]);
  vi.advanceTimersByTime(60_000);
  expect(written.splice(0)).toEqual(["one 1 a", "two 1 a", "one 2 c"]);
  note("one", "d");
  note("two", "b");
  expect(written.splice(0)).toEqual(["two 1 b"]);
  vi.advanceTimersByTime(60_000);
  expect(written.splice(0)).toEqual(["one 1 d"]);
  vi.advanceTimersByTime(60_000);
  note("one", "e");
  expect(written).toEqual(["one 1 e"]);
});

test("a million names leave as many lines as there are counters, and one for the others", () => {
  const { note, written } = counter(100);
  for (let name = 0; name < 1_000_000; name++) note(String(name), "x");
  expect(written).toHaveLength(101);
  expect(written.at(-1)).toBe("others 1 x");
  expect(vi.getTimerCount()).toBe(101);
  vi.advanceTimersByTime(60_000);
  expect(written.slice(101)).toEqual(["others 999899 x"]);
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
});
