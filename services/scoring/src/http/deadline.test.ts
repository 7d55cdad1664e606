import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { commitLimitMs } from "../store/patience.ts";
import { type Deadline, deadlineOf, whileAwaited } from "./deadline.ts";

/** The deadline of a request, by default of a report. */
function useDeadline(method = "POST", url = "/score"): Deadline {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
  const deadline = deadlineOf(request);
  expect(deadlineOf(request)).toBe(deadline);
  return deadline;
}

/** The reason for which it is aborted; undefined if it is not. */
const reasonOf = ({ signal }: Deadline) => (signal.aborted ? signal.reason.message : undefined);

const late = expect.stringContaining("nothing is acknowledged");

test.each([
  ["POST", "/score", commitLimitMs, "store-unavailable"],
  ["GET", "/scores", 10_000, "overloaded"],
  ["GET", "/metrics?area=a", 30_000, "overloaded"],
])("the time of %s %s is up %d ms after it came", (method, url, limitMs, code) => {
  const deadline = useDeadline(method, url);
  vi.advanceTimersByTime(limitMs - 1);
  expect(reasonOf(deadline)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(deadline.signal.reason).toMatchObject({ code });
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
  expect(reasonOf(deadline)).toEqual(late);
});

test.each([
  ["answered", true, undefined],
  ["ended by its caller", false, "the caller is gone"],
])("a request that was %s runs out of no time", (_, isAnswered, reason) => {
  const deadline = useDeadline();
  deadline.end(isAnswered);
  deadline.go();
  vi.advanceTimersByTime(60_000);
  expect(reasonOf(deadline)).toBe(reason);
});

test("an answer is waited for until the signal is aborted", async () => {
  const gone = new AbortController();
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await whileAwaited(Promise.resolve("there"), gone.signal)).toBe("there");
  const waiting = whileAwaited(promise, gone.signal);
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(whileAwaited(promise, gone.signal)).rejects.toThrow("gone");
  reject(new Error("nobody hears of it"));
});
