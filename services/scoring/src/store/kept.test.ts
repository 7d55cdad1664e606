import { beforeEach, expect, test, vi } from "vitest";
import { keepAnswers } from "./kept.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  return () => vi.useRealTimers();
});

test("an answer is shared while it is on its way and for 15 seconds from the question on", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ask = vi.fn((_: string) => promise);
  const read = keepAnswers(ask, (question) => question);
  const first = read("areas");
  vi.advanceTimersByTime(10_000);
  expect(read("areas")).toBe(first);
  resolve("all");
  await first;
  vi.advanceTimersByTime(4_000);
  expect(read("areas")).toBe(first);
  vi.advanceTimersByTime(1_100);
  await read("areas");
  expect(ask).toHaveBeenCalledTimes(2);
});

test("an answer that took longer than it is kept, and an error, are given to those who waited and to nobody else", async () => {
  const ask = vi.fn(async (question: string) => {
    vi.advanceTimersByTime(20_000);
    if (question === "broken") throw new Error("no database");
  });
  const read = keepAnswers(ask, (question) => question);
  await read("slow");
  await read("slow");
  await expect(read("broken")).rejects.toThrow("no database");
  await expect(read("broken")).rejects.toThrow("no database");
  expect(ask).toHaveBeenCalledTimes(4);
});

test("an answer may say how long it is kept", async () => {
  const ask = vi.fn(async (days: number) => days);
  const read = keepAnswers(ask, String, (days) => days * 86_400_000);
  await read(2);
  vi.advanceTimersByTime(86_400_000);
  await read(2);
  expect(ask).toHaveBeenCalledOnce();
});
