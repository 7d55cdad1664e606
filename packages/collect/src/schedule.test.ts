import { expect, test } from "vitest";
import { every } from "./schedule.ts";

/** A clock that records how long it was asked to wait, and stops after so many waits. */
function clockOf(random: number, waits: number) {
  const stop = new AbortController();
  const slept: number[] = [];
  let time = 0;
  const clock = {
    now: () => time,
    random: () => random,
    async sleep(milliseconds: number, signal: AbortSignal) {
      slept.push(milliseconds);
      time += milliseconds;
      if (slept.length === waits) stop.abort();
      signal.throwIfAborted();
    },
  };
  return {
    clock,
    slept,
    signal: stop.signal,
    stop: () => stop.abort(),
    pass: (milliseconds: number) => (time += milliseconds),
  };
}

test.each([
  { what: "at its earliest", random: 0, pause: 285_000 - 10_000 },
  { what: "in time", random: 0.5, pause: 300_000 - 10_000 },
  { what: "almost at its latest", random: 0.99, pause: 314_700 - 10_000 },
])("the next run begins $what, counted from the beginning of the one before", async ({ random, pause }) => {
  const { clock, slept, signal, pass } = clockOf(random, 3);
  let runs = 0;
  await every(
    300_000,
    async () => {
      runs++;
      pass(10_000);
    },
    clock,
    signal,
  );
  expect({ runs, slept }).toEqual({ runs: 3, slept: [pause, pause, pause] });
});

test("a run that takes longer than the interval is followed by the next at once", async () => {
  const { clock, slept, signal, pass } = clockOf(0.5, 2);
  await every(1_000, async () => void pass(5_000), clock, signal);
  expect(slept).toEqual([0, 0]);
});

test("a run under way ends with the signal", async () => {
  const { clock, slept, signal, stop } = clockOf(0.5, 1);
  const begun = every(
    1_000,
    (running) =>
      new Promise((_, reject) => {
        running.addEventListener("abort", () => reject(running.reason));
        stop();
      }),
    clock,
    signal,
  );
  await expect(begun).resolves.toBeUndefined();
  expect(slept).toEqual([]);
});

test("any other error ends it", async () => {
  const { clock, signal } = clockOf(0.5, 1);
  const begun = every(1_000, () => Promise.reject(new Error("broken")), clock, signal);
  await expect(begun).rejects.toThrow("broken");
});
