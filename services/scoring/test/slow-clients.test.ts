import { once } from "node:events";
import { setInterval as every } from "node:timers/promises";
import { expect, test } from "vitest";
import { useConnection } from "./support/raw-http.ts";
import { post } from "./support/requests.ts";
import { type TestService, useService } from "./support/service.ts";

const score = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" },
  raw: { high: 0, medium: 0 },
};

async function listening(): Promise<TestService> {
  const service = await useService();
  await service.server.start();
  return service;
}

/** Asks over a connection of its own. */
async function status({ server }: TestService, path: string): Promise<number> {
  return (await fetch(`${server.info.uri}${path}`, { headers: { connection: "close" } })).status;
}

const head = "POST /score HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

/** Beginnings of requests that never end. */
const beginnings: Readonly<Record<string, string>> = {
  "in the head": `${head}X-Slow: `,
  "in the body": `${head}Content-Length: 1000000\r\n\r\n{"area":"`,
  "in chunks": `${head}Transfer-Encoding: chunked\r\n\r\n9\r\n{"area":"\r\n`,
};

test("300 senders of a byte each 50 ms stop nobody, take little memory and are cut off", {
  timeout: 60_000,
}, async () => {
  const service = await listening();
  const before = process.memoryUsage().rss;
  const texts = Object.values(beginnings);
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const socket = await useConnection(service);
      const text = texts[index % texts.length] ?? "";
      socket.write(text);
      socket.resume();
      return { socket, drop: text.includes("chunked") ? "1\r\na\r\n" : "a" };
    }),
  );
  let closed = 0;
  const allClosed = Promise.all(sockets.map(({ socket }) => once(socket, "close").then(() => closed++)));
  let drops = 0;
  let served = 0;
  for await (const _ of every(50)) {
    for (const { socket, drop } of sockets) if (socket.writable) socket.write(drop);
    if (closed === sockets.length) break;
    if (drops++ % 10 !== 0) continue;
    const start = performance.now();
    expect(await status(service, "/livez")).toBe(200);
    expect(await status(service, "/healthz")).toBe(200);
    expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1_048_576);
    served++;
  }
  await allClosed;
  expect(served).toBeGreaterThan(5);
  expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
  expect(await new Promise((resolve) => service.server.listener.getConnections((_, count) => resolve(count)))).toBe(0);
});

test("2,000 idle connections leave the health checks and writes answered", async () => {
  const service = await listening();
  const sockets = await Promise.all(Array.from({ length: 2_000 }, () => useConnection(service)));
  expect(await status(service, "/healthz")).toBe(200);
  expect(await status(service, "/livez")).toBe(200);
  expect(await post(service, "/score", score)).toMatchObject({ status: 200 });
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
});
