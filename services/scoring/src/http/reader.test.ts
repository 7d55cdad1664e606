import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitReader } from "./reader.ts";

const mebibyte = 1_048_576;

/** Limits the reader of an answer of so many bytes. */
function limit(response: PassThrough, bytes: number, onCutOff: () => void): void {
  const req = { socket: { setTimeout: vi.fn() } };
  limitReader({ req, res: response } as unknown as Parameters<typeof limitReader>[0], bytes, onCutOff);
  expect(req.socket.setTimeout).toHaveBeenCalledWith(10_000);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("a reader has ten seconds, and four for each mebibyte", () => {
  const response = new PassThrough();
  const onCutOff = vi.fn();
  limit(response, 3 * mebibyte, onCutOff);
  vi.advanceTimersByTime(21_999);
  expect(response.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(response.destroyed).toBe(true);
  expect(onCutOff).toHaveBeenCalledOnce();
});

test.each([
  ["is through", (response: PassThrough) => response.end().resume()],
  ["went away", (response: PassThrough) => response.destroy()],
])("a reader that %s is not cut off", async (_, end) => {
  const response = new PassThrough();
  const onCutOff = vi.fn();
  limit(response, 0, onCutOff);
  const closed = new Promise((resolve) => response.once("close", resolve));
  end(response);
  await closed;
  expect(vi.getTimerCount()).toBe(0);
  expect(onCutOff).not.toHaveBeenCalled();
});
