import { Agent } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { begin, closed, type Sent, send, statusOf, useLimited, useSocket } from "./support/limited.ts";
import { until } from "./support/service.ts";

describe("of writes under way", () => {
  test("one too many is refused at once, before any of them is answered, and the next has its place", async () => {
    const limited = await useLimited({ reports: { atOnce: 2 } });
    const taken = ["/write/1", "/write/2"].map((path) => send(limited, path));
    await until(() => limited.underWay().length === 2);
    const { status, headers, body } = await send(limited, "/write/3", { bytes: 10 });
    expect(status).toBe(503);
    expect(headers).toMatchObject({ "retry-after": "1", "content-type": "application/json; charset=utf-8" });
    expect(JSON.parse(body)).toEqual({
      statusCode: 503,
      error: "Service Unavailable",
      message: "too many requests in flight; try again shortly",
      code: "overloaded",
    });
    expect(limited.refusals).toEqual(["request_refused"]);
    expect(limited.underWay()).toEqual(["/write/1", "/write/2"]);
    limited.answer();
    expect(await statusOf(taken[0] as Sent["answer"])).toBe(200);
    const next = send(limited, "/write/4");
    await until(() => limited.underWay().length === 2);
    limited.answer();
    limited.answer();
    expect(await Promise.all([...taken.slice(1), next].map(statusOf))).toEqual([200, 200]);
  });

  test("one whose caller hangs up has its place until the work is over", async () => {
    const limited = await useLimited({ reports: { atOnce: 1 } });
    const { request } = begin(limited, "/write/1");
    request.end();
    await until(() => limited.underWay().length === 1);
    request.destroy();
    await until(() => limited.connections() === 0);
    expect(await statusOf(send(limited, "/write/2"))).toBe(503);
    limited.answer();
    const next = send(limited, "/write/3");
    await until(() => limited.underWay().length === 1);
    limited.answer();
    expect(await statusOf(next)).toBe(200);
  });

  test("those that come on one connection, before the first is answered, count each", async () => {
    const limited = await useLimited({ reports: { atOnce: 3 } });
    const socket = await useSocket(limited);
    for (const path of ["/write/1", "/write/2", "/write/3"]) {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\nx`);
    }
    await until(() => limited.underWay().length === 3);
    expect(await statusOf(send(limited, "/write/4"))).toBe(503);
    for (const _ of limited.underWay()) limited.answer();
    const taken = ["/write/5", "/write/6", "/write/7"].map((path) => send(limited, path));
    await until(() => limited.underWay().length === 3);
    for (const _ of limited.underWay()) limited.answer();
    expect(await Promise.all(taken.map(statusOf))).toEqual([200, 200, 200]);
  });

  test("those whose body is not here yet have no place, however many", async () => {
    const limited = await useLimited({ reports: { atOnce: 1 } });
    const slow = Array.from({ length: 20 }, (_, index) => begin(limited, `/write/${index}`, { bytes: 10 }));
    for (const { request } of slow) request.write("x");
    const whole = send(limited, "/write/whole", { bytes: 10 });
    await until(() => limited.underWay().length === 1);
    expect(limited.underWay()).toEqual(["/write/whole"]);
    for (const { request } of slow) request.end("x".repeat(9));
    expect(await Promise.all(slow.map(({ answer }) => statusOf(answer)))).toEqual(Array(20).fill(503));
    limited.answer();
    expect(await statusOf(whole)).toBe(200);
  });

  test("the bodies count too, by what their heads announce and by what came; one is taken whatever its size", async () => {
    const limited = await useLimited({ reports: { atOnce: 100, bytes: 1_000 } });
    const large = send(limited, "/write/large", { bytes: 5_000 });
    await until(() => limited.underWay().length === 1);
    expect(await statusOf(send(limited, "/write/any", { bytes: 1 }))).toBe(503);
    limited.answer();
    expect(await statusOf(large)).toBe(200);
    const half = send(limited, "/write/half", { bytes: 600 });
    await until(() => limited.underWay().length === 1);
    const chunked = begin(limited, "/write/chunked", { chunked: true });
    chunked.request.write("x".repeat(300));
    chunked.request.end("x".repeat(300));
    expect(await chunked.answer).toMatchObject({ status: 503, body: "overloaded" });
    const other = send(limited, "/write/other", { bytes: 400 });
    await until(() => limited.underWay().length === 2);
    limited.answer();
    limited.answer();
    expect(await Promise.all([half, other].map(statusOf))).toEqual([200, 200]);
  });

  test("one too many that waits for leave to send its body gets none", async () => {
    const limited = await useLimited({ reports: { atOnce: 1 } });
    void send(limited, "/write/1");
    await until(() => limited.underWay().length === 1);
    const { request, answer } = begin(limited, "/write/2", { bytes: 10, expect: "100-continue" });
    request.once("continue", () => expect.unreachable());
    request.flushHeaders();
    expect(await answer).toMatchObject({ status: 503, headers: { connection: "close" } });
  });
});

test("a read has no place while its caller is unknown", async () => {
  const limited = await useLimited({ reads: { atOnce: 1 } });
  const strangers = Array.from({ length: 20 }, () => send(limited, "/stranger"));
  await until(() => limited.underWay().length === 20);
  const known = send(limited, "/apps");
  await until(() => limited.underWay().includes("/apps"));
  expect(await statusOf(send(limited, "/apps"))).toBe(503);
  for (const _ of limited.underWay()) limited.answer();
  expect(await Promise.all([...strangers, known].map(statusOf))).toEqual(Array(21).fill(200));
});

test("reads that come on one connection give their places back when it goes", async () => {
  const limited = await useLimited({ reads: { atOnce: 3 } });
  const socket = await useSocket(limited);
  for (const path of ["/1", "/2", "/3"]) socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  await until(() => limited.underWay().length === 3);
  expect(await statusOf(send(limited, "/4"))).toBe(503);
  socket.destroy();
  await until(() => limited.connections() === 0);
  const taken = ["/5", "/6", "/7"].map((path) => send(limited, path));
  await until(() => limited.underWay().length === 6);
  for (const _ of limited.underWay()) limited.answer();
  expect(await Promise.all(taken.map(statusOf))).toEqual([200, 200, 200]);
});

test("reads and scrapes have places of their own, and health checks need none", async () => {
  const limited = await useLimited({ reads: { atOnce: 1 }, scrapes: { atOnce: 1 }, reports: { atOnce: 1 } });
  const answers = ["/apps", "/metrics?area=a", "/write", "/healthz", "/livez", "/healthz?from=balancer"].map((path) =>
    send(limited, path),
  );
  await until(() => limited.underWay().length === 6);
  for (const path of ["/apps", "/metricsz", "/metrics", "/metrics/service", "/healthzz"]) {
    expect(await statusOf(send(limited, path)), path).toBe(503);
  }
  for (const _ of answers) limited.answer();
  expect(await Promise.all(answers.map(statusOf))).toEqual(Array(6).fill(200));
});

test("of bodies on their way that hold too much, the one that takes longest is cut off", async () => {
  const limited = await useLimited({ arrivingBytes: 1_000 });
  const slow = ["/write/first", "/write/second"].map((path) => begin(limited, path, { bytes: 10_000 }));
  for (const [index, { request }] of slow.entries()) {
    request.write("x".repeat(400));
    await until(() => limited.received() === 400 * (index + 1));
  }
  const whole = send(limited, "/write/whole", { bytes: 900 });
  await until(() => limited.underWay().includes("/write/whole"));
  await expect(slow[0]?.answer).rejects.toThrow("socket hang up");
  expect(limited.refusals).toContain("body_cut_off");
  limited.answer();
  expect(await statusOf(whole)).toBe(200);
});

test("of answers that need no token, the one under way longest is cut off, and no other read is refused", async () => {
  const limited = await useLimited({ open: 2, reads: { atOnce: 1 } });
  const open: Promise<unknown>[] = [];
  for (const path of ["/1/open", "/2/open", "/3/open"]) {
    open.push(send(limited, path));
    await until(() => limited.underWay().includes(path));
  }
  await expect(open[0]).rejects.toThrow("socket hang up");
  expect(limited.refusals).toEqual(["open_cut_off"]);
  const read = send(limited, "/read/known");
  await until(() => limited.underWay().includes("/read/known"));
  while (limited.underWay().length > 0) limited.answer();
  expect(await statusOf(read)).toBe(200);
  expect(await Promise.all(open.slice(1))).toMatchObject([{ status: 200 }, { status: 200 }]);
});

describe("of connections", () => {
  test("the one that has waited longest goes for a new one, and a health check on it is answered", async () => {
    const limited = await useLimited({ connections: 3 });
    const underWay = send(limited, "/write/1");
    await until(() => limited.underWay().length === 1);
    const [longest, later] = [await useSocket(limited), await useSocket(limited)];
    longest.write("POST /write/slow HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nx");
    const health = send(limited, "/healthz");
    await closed(longest);
    await until(() => limited.underWay().includes("/healthz"));
    limited.answer();
    limited.answer();
    expect(await Promise.all([underWay, health].map(statusOf))).toEqual([200, 200]);
    expect(later.destroyed).toBe(false);
    expect(limited.refusals).toEqual(["connection_closed"]);
  });

  test("one that was answered waits anew", async () => {
    const limited = await useLimited({ connections: 2 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const first = send(limited, "/write/1", { agent });
    await until(() => limited.underWay().length === 1);
    const idle = await useSocket(limited);
    limited.answer();
    expect(await statusOf(first)).toBe(200);
    await useSocket(limited);
    await closed(idle);
    const second = send(limited, "/write/2", { agent });
    await until(() => limited.underWay().length === 1);
    limited.answer();
    expect(await statusOf(second)).toBe(200);
  });
});
