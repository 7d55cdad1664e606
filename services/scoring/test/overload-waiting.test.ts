import { Agent, type ClientRequest } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { begin, type Limited, type Sent, send, statusOf, useLimited, useSocket } from "./support/limited.ts";
import { until } from "./support/service.ts";

/** No timer ends while the test runs. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** The caller of a write that waits behind the first hangs up, and one that comes later has the place. */
async function hangUp(limited: Limited, waiting: ClientRequest, first: Sent["answer"], bytes = 0): Promise<void> {
  waiting.destroy();
  await until(() => limited.connections() === 1);
  const third = send(limited, "/write/3", { bytes });
  limited.answer();
  expect(await statusOf(first)).toBe(200);
  await until(() => limited.underWay().length === 1);
  expect(limited.underWay()).toEqual(["/write/3"]);
  limited.answer();
  expect(await statusOf(third)).toBe(200);
}

describe("one write too many", () => {
  test("is taken as soon as there is room, whatever timers do", async () => {
    stopTimers();
    const limited = await useLimited({ reports: { atOnce: 1, waiting: 10 } });
    const first = send(limited, "/write/1");
    await until(() => limited.underWay().length === 1);
    const { request, answer } = begin(limited, "/write/2", { bytes: 10 });
    request.end("x".repeat(10));
    const later = send(limited, "/write/3");
    await until(() => limited.arrived() === 3);
    limited.answer();
    expect(await statusOf(first)).toBe(200);
    for (const _ of [answer, later]) {
      await until(() => limited.underWay().length === 1);
      limited.answer();
    }
    expect(await Promise.all([answer, later].map(statusOf))).toEqual([200, 200]);
    expect(limited.refusals).toEqual([]);
  });

  test("whose caller turns out to be unknown keeps nobody behind it waiting", async () => {
    stopTimers();
    const limited = await useLimited({ reports: { atOnce: 1, waiting: 10 } });
    const first = send(limited, "/write/1");
    await until(() => limited.underWay().length === 1);
    const socket = await useSocket(limited);
    for (const path of ["/write/stranger", "/write/2"]) {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\nx`);
    }
    await until(() => limited.arrived() === 3);
    limited.answer();
    expect(await statusOf(first)).toBe(200);
    for (const path of ["/write/stranger", "/write/2"]) {
      await until(() => limited.underWay().includes(path));
      limited.answer();
    }
    expect(limited.refusals).toEqual([]);
  });

  test("whose head announced nothing waits with its body, which is not cut off for those that come slowly", async () => {
    stopTimers();
    const limited = await useLimited({ arrivingBytes: 1_000, reports: { atOnce: 100, bytes: 1_000, waiting: 10 } });
    const first = send(limited, "/write/1", { bytes: 600 });
    await until(() => limited.underWay().length === 1);
    const { request, answer } = begin(limited, "/write/chunked", { chunked: true });
    request.write("x".repeat(300));
    request.end("x".repeat(300));
    await until(() => limited.received() === 1_200);
    const slow = begin(limited, "/write/slow", { chunked: true });
    slow.request.write("x".repeat(1_001));
    await expect(slow.answer).rejects.toThrow("socket hang up");
    expect(limited.refusals).toEqual(["body_cut_off"]);
    limited.answer();
    expect(await statusOf(first)).toBe(200);
    await until(() => limited.underWay().length === 1);
    limited.answer();
    expect(await statusOf(answer)).toBe(200);
    const afterwards = begin(limited, "/write/afterwards", { chunked: true });
    afterwards.request.write("x".repeat(999));
    await until(() => limited.received() === 3_200);
    expect(limited.refusals).toEqual(["body_cut_off"]);
  });

  test("whose body came without its length, and whose caller goes, is never worked on", async () => {
    const limited = await useLimited({ reports: { atOnce: 100, bytes: 1_000, waiting: 10 } });
    const first = send(limited, "/write/1", { bytes: 600 });
    await until(() => limited.underWay().length === 1);
    const { request } = begin(limited, "/write/2", { chunked: true });
    request.write("x".repeat(300));
    request.end("x".repeat(300));
    await until(() => limited.received() === 1_200);
    await hangUp(limited, request, first, 600);
  });

  test("that announces more than any may have does not wait for the answer", async () => {
    stopTimers();
    const limited = await useLimited({ reports: { atOnce: 1, waiting: 10 } });
    void send(limited, "/write/1");
    await until(() => limited.underWay().length === 1);
    const { request } = begin(limited, "/write/huge", { bytes: 1_048_577 });
    request.write("x");
    await until(() => limited.received() === 1);
  });

  test("whose caller does not wait is never worked on", async () => {
    const limited = await useLimited({ reports: { atOnce: 1, waiting: 10 } });
    const first = send(limited, "/write/1");
    await until(() => limited.underWay().length === 1);
    const { request } = begin(limited, "/write/2");
    request.end();
    await until(() => limited.arrived() === 2);
    await hangUp(limited, request, first);
  });
});

test("a connection that was turned away is heard again at once, whatever timers do", async () => {
  stopTimers();
  const limited = await useLimited({ reports: { atOnce: 1 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const first = send(limited, "/write/1");
  await until(() => limited.underWay().length === 1);
  expect(await statusOf(send(limited, "/write/2", { agent }))).toBe(503);
  expect(await statusOf(send(limited, "/write/3", { agent }))).toBe(503);
  limited.answer();
  expect(await statusOf(first)).toBe(200);
  const again = send(limited, "/write/4", { agent });
  await until(() => limited.underWay().length === 1);
  limited.answer();
  expect(await statusOf(again)).toBe(200);
});
