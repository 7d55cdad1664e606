import { setInterval as every } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { get, post } from "../test/support/own-connection.ts";
import { useConnection } from "../test/support/raw-http.ts";
import { createDatabase } from "../test/support/service.ts";
import { useServiceProcess } from "../test/support/service-process.ts";

const score = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" },
  raw: { high: 0, medium: 0 },
};

/** A service that may grow by so many bytes at the most. */
async function useFlat(growth: number) {
  const process = await useServiceProcess({ DATABASE_URL: await createDatabase("postgres") });
  const address = await process.address();
  const figure = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await get(address, "/metrics/service"))?.[1]);
  expect((await post(address, "/score", score)).status).toBe(200);
  const before = await figure("process_resident_memory_bytes");
  return {
    address,
    figure,
    /** Health checks, a write and a scrape are answered, and memory stays flat. */
    async serves(): Promise<void> {
      for (const path of ["/livez", "/healthz"]) expect(await get(address, path)).toMatch(/^\{"status":"ok"/);
      expect((await post(address, "/score", score)).status).toBe(200);
      expect(await get(address, "/metrics")).toContain('metric="dast"} 100.00\n');
      expect((await figure("process_resident_memory_bytes")) - before).toBeLessThan(growth);
    },
  };
}

const megabyte = 1_048_576;
const head = "POST /score HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

/** Beginnings of requests that never end. */
const beginnings: Readonly<Record<string, string>> = {
  "in the head": `${head}X-Slow: `,
  "in the body": `${head}Content-Length: 1000000\r\n\r\n{"area":"`,
  "in chunks": `${head}Transfer-Encoding: chunked\r\n\r\n9\r\n{"area":"\r\n`,
};

test("300 senders of a byte each 50 ms stop nobody, take little memory and are cut off", async () => {
  const service = await useFlat(64 * megabyte);
  const texts = Object.values(beginnings);
  let closed = 0;
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const socket = await useConnection(service.address);
      socket.once("close", () => closed++);
      const text = texts[index % texts.length] ?? "";
      socket.write(text);
      socket.resume();
      return { socket, drop: text.includes("chunked") ? "1\r\na\r\n" : "a" };
    }),
  );
  let drops = 0;
  for await (const _ of every(50)) {
    for (const { socket, drop } of sockets) if (socket.writable) socket.write(drop);
    if (closed === sockets.length) break;
    if (drops++ % 10 === 0) await service.serves();
  }
  await service.serves();
});

test("1,100 bodies that never end keep nobody out", async () => {
  const service = await useFlat(64 * megabyte);
  const sockets = await Promise.all(Array.from({ length: 1_100 }, () => useConnection(service.address)));
  for (const socket of sockets) socket.write(beginnings["in the body"] ?? "");
  await service.serves();
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
});

describe("connections without a request", () => {
  test("2,000 of them stop nobody and take little memory", async () => {
    const service = await useFlat(64 * megabyte);
    const sockets = await Promise.all(Array.from({ length: 2_000 }, () => useConnection(service.address)));
    await service.serves();
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  test("beyond 4,000 the oldest is closed for each further one", async () => {
    const service = await useFlat(128 * megabyte);
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(Array.from({ length: 250 }, () => useConnection(service.address)));
    }
    await service.serves();
    expect(await service.figure('maturity_overload_total\\{what="connection_closed"\\}')).toBeGreaterThanOrEqual(1_000);
  });
});
