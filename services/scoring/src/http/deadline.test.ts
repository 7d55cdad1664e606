import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { commitLimitMs } from "../store/patience.ts";
import { type Deadline, deadlineOf } from "./deadline.ts";

function useDeadline(): Deadline {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const request = new IncomingMessage(new Socket());
  const deadline = deadlineOf(request);
  expect(deadlineOf(request)).toBe(deadline);
  return deadline;
}

/** The reason for which it is aborted; undefined if it is not. */
const reasonOf = ({ signal }: Deadline) => (signal.aborted ? signal.reason.message : undefined);

test("the time is up so long after the request came", () => {
  const deadline = useDeadline();
  vi.advanceTimersByTime(commitLimitMs - 1);
  expect(reasonOf(deadline)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(reasonOf(deadline)).toBe("waited too long to be stored");
});

test("the time in which the clock was stopped does not count", () => {
  const deadline = useDeadline();
  vi.advanceTimersByTime(1_000);
  deadline.hold();
  deadline.hold();
  vi.advanceTimersByTime(60_000);
  deadline.go();
  deadline.go();
  vi.advanceTimersByTime(commitLimitMs - 1_001);
  expect(reasonOf(deadline)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(reasonOf(deadline)).toBe("waited too long to be stored");
});

test.each([
  ["answered", true, undefined],
  ["given up by its caller", false, "the caller is gone"],
])("a request that was %s runs out of no time", (_, isAnswered, reason) => {
  const deadline = useDeadline();
  deadline.end(isAnswered);
  deadline.go();
  vi.advanceTimersByTime(60_000);
  expect(reasonOf(deadline)).toBe(reason);
});
