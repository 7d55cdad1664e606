import { once } from "node:events";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGunzip, createGzip } from "node:zlib";
import type { Request } from "@hapi/hapi";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStreams } from "./streams.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A caller that reads what is sent when the test says so. */
function caller() {
  const takes: (() => void)[] = [];
  const response = new Writable({ highWaterMark: 1, write: (_, __, taken) => void takes.push(taken) });
  const silence: number[] = [];
  const request = {
    raw: { req: { socket: { setTimeout: (ms: number) => silence.push(ms) } }, res: response },
  } as unknown as Request;
  return { request, response, silence, take: () => takes.shift()?.() };
}

function streams() {
  let cutOff = 0;
  return { ...createStreams(() => void cutOff++), cutOff: () => cutOff };
}

test("who takes a whole page more slowly than 256 KiB a second is cut off", () => {
  const { limit, cutOff } = streams();
  const { request, response, silence } = caller();
  limit(request, 1_048_576);
  expect(silence).toEqual([10_000]);
  vi.advanceTimersByTime(13_999);
  expect([response.destroyed, cutOff()]).toEqual([false, 0]);
  vi.advanceTimersByTime(1);
  expect([response.destroyed, cutOff()]).toEqual([true, 1]);
});

test("who has taken a page is left alone", async () => {
  const { limit, cutOff } = streams();
  const { request, response } = caller();
  limit(request, 1_000);
  const finished = once(response, "finish");
  response.end();
  await finished;
  vi.advanceTimersByTime(60_000);
  expect([response.destroyed, cutOff()]).toEqual([true, 0]); // by itself, as streams do at their end
});

test("who takes a page of a stream more slowly is cut off, however many he took before", async () => {
  const { start, cutOff } = streams();
  const { request, response, take } = caller();
  async function* pages() {
    for (let page = 0; page < 10; page++) yield "x".repeat(262_144);
  }
  const body = await start(request, pages());
  body.pipe(response);
  for (let page = 0; page < 5; page++) {
    await vi.advanceTimersByTimeAsync(9_000);
    take();
  }
  await vi.advanceTimersByTimeAsync(10_999);
  expect([response.destroyed, cutOff()]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect([response.destroyed, cutOff()]).toEqual([true, 1]);
});

test("what is packed reaches its reader page by page, however small the pages are", async () => {
  vi.useRealTimers();
  const { request } = caller();
  const goOn = Promise.withResolvers<void>();
  async function* pages() {
    yield "first";
    await goOn.promise;
    yield "second";
  }
  const body = await streams().start(request, pages());
  const packed = createGzip();
  body.setCompressor(packed);
  const reader = body.pipe(packed).pipe(createGunzip()).setEncoding("utf8");
  expect(await once(reader, "data")).toEqual(["first"]);
  goOn.resolve();
  expect(await text(reader)).toBe("second");
});
