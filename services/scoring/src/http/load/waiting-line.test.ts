import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWaitingLine } from "./waiting-line.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line for 3 before places for so many bytes. Those that are let in take theirs a moment later. */
function before(places: number) {
  let taken = 0;
  const told: string[] = [];
  const line = createWaitingLine(3, 1_000, (bytes, onTheirWay) => taken + onTheirWay.bytes + bytes <= places);
  return {
    told,
    async enter(name: string, bytes = 1) {
      const letIn = () => {
        told.push(`${name} in`);
        queueMicrotask(() => {
          taken += bytes;
        });
      };
      const leave = line.enter(bytes, letIn, () => told.push(`${name} refused`));
      await Promise.resolve();
      return { leave };
    },
    free(bytes: number) {
      taken -= bytes;
      line.letInSoon();
    },
  };
}

test("who finds room is let in at once, and the others in their order as soon as there is some", async () => {
  const { enter, free, told } = before(2);
  for (const name of ["a", "b", "c", "d", "e"]) await enter(name);
  expect(told.splice(0)).toEqual(["a in", "b in"]);
  free(1);
  vi.advanceTimersByTime(0);
  expect(told.splice(0)).toEqual(["c in"]);
  free(1);
  free(1);
  vi.advanceTimersByTime(0);
  expect(told).toEqual(["d in", "e in"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a large one is not passed by those behind it", async () => {
  const { enter, free, told } = before(2);
  await enter("a");
  await enter("b");
  await enter("large", 2);
  await enter("c");
  free(1);
  vi.advanceTimersByTime(0);
  expect(told).toEqual(["a in", "b in"]);
  free(1);
  vi.advanceTimersByTime(0);
  expect(told).toEqual(["a in", "b in", "large in"]);
});

test("who has waited too long is refused, and who finds too many waiting at once", async () => {
  const { enter, told } = before(1);
  for (const name of ["a", "b", "c", "d", "e"]) await enter(name);
  expect(told.splice(0)).toEqual(["a in", "e refused"]);
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["b refused", "c refused", "d refused"]);
});

test("who leaves is neither let in nor refused", async () => {
  const { enter, free, told } = before(1);
  await enter("a");
  (await enter("b")).leave();
  await enter("c");
  free(1);
  vi.advanceTimersByTime(2_000);
  expect(told).toEqual(["a in", "c in"]);
});

test("who was let in but takes no room keeps nobody waiting for longer than that", () => {
  const told: string[] = [];
  let taken = 1;
  const line = createWaitingLine(10, 1_000, (_, onTheirWay) => taken + onTheirWay.count < 2);
  taken = 2;
  for (const name of ["slow", "a", "b"])
    line.enter(
      1,
      () => told.push(name),
      () => told.push(`${name} refused`),
    );
  taken = 1;
  line.letInSoon();
  vi.advanceTimersByTime(0);
  expect(told).toEqual(["slow"]);
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual(["slow", "a", "b"]);
});
