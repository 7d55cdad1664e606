import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDatabase } from "../test/support/empty-database.ts";
import { fillStore } from "../test/support/large-store.ts";
import { get, open } from "../test/support/own-connection.ts";
import { freePort } from "../test/support/postgres.ts";
import { useConnection } from "../test/support/raw-http.ts";
import { until, useService } from "../test/support/service.ts";
import { useTcpProxy } from "../test/support/tcp-proxy.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useInstance, useScene } from "./support/scene.ts";

/** Scores of 20 kB each in the store, so that answers are larger than what sockets hold. */
const scores = 600;
const series = /^maturity_score\{area="large"/gm;

/** Opens scrapes of which nothing is read but the first bytes, for one test. */
async function stall(address: string, count: number): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => useConnection(address)));
  for (const socket of sockets) socket.write("GET /metrics?collect[]=scores HTTP/1.1\r\nHost: a\r\n\r\n");
  await Promise.all(sockets.map((socket) => once(socket, "readable")));
}

/** How long the service may take to get over a fault: it promises 5 s, and the machine may be busy. */
const limits = { timeout: 60_000, interval: 50 };

async function scrape(address: string): Promise<number | undefined> {
  const body = await get(address, "/metrics?collect[]=scores&area=large");
  return body.match(series)?.length;
}

const health = (address: string) => get(address, "/healthz");

test("fifty readers stop reading, again and again", async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url });
  const [{ address } = { address: "" }] = scene.instances;
  await fillStore({ database: useDatabase(url) }, scores);
  for (let round = 0; round < 3; round++) {
    await scene.round(async () => {
      await stall(address, 50);
      for (let scrapes = 0; scrapes < 5; scrapes++) expect(await scrape(address)).toBe(scores);
      expect(await health(address)).toBe('{"status":"ok"}');
    });
  }
  await scene.finish();
});

test("forty scrapes a second come from scrapers that give up soon, and the database stalls in the middle", async (context) => {
  const { url } = await useOwnPostgres();
  const proxy = useTcpProxy(url, await freePort());
  await proxy.open();
  const scene = await useScene(context, { databaseUrl: url, serviceUrl: proxy.url });
  const [{ address } = { address: "" }] = scene.instances;
  await fillStore({ database: useDatabase(url) }, scores);
  for (let round = 0; round < 2; round++) {
    await scene.round(async () => {
      const attack = startImpatientScrapers(address);
      await attack.done(400);
      proxy.holdBack(""); // everything
      await vi.waitUntil(async () => (await health(address)) === '{"status":"unavailable"}', limits);
      await attack.done(200);
      expect(await health(address)).toBe('{"status":"unavailable"}');
      await proxy.letGo();
      await attack.done(200);
      await attack.stop();
      await vi.waitUntil(async () => (await health(address)) === '{"status":"ok"}', limits);
      await vi.waitUntil(async () => (await scrape(address)) === scores, limits);
    });
  }
  await scene.finish();
});

test("all connections to the database fall silent for good: the next scrapes have new ones", async () => {
  const { url } = await useOwnPostgres();
  const proxy = useTcpProxy(url, await freePort());
  await proxy.open();
  const { address } = await useInstance({ DATABASE_URL: proxy.url, LOG_LEVEL: "fatal" });
  await fillStore({ database: useDatabase(url) }, scores);
  for (let round = 0; round < 3; round++) {
    await vi.waitUntil(async () => (await scrape(address)) === scores, limits);
    const underWay = Array.from({ length: 4 }, (_, team) => get(address, `/metrics?team=team&team=${team}`));
    proxy.silence();
    await Promise.all(underWay);
    await vi.waitUntil(async () => (await health(address)) === '{"status":"ok"}', limits);
  }
  expect(await scrape(address)).toBe(scores);
});

/** Scrapers that ask forty times a second in all, and hang up when they have no answer after half a second. */
function startImpatientScrapers(address: string) {
  let done = 0;
  let stopped = false;
  const ask = async (turn: number) => {
    const path = `/metrics?collect[]=scores&team=team-${turn % 4}&team=team`;
    await open(address, path, { signal: AbortSignal.timeout(500) })
      .then(buffer)
      .catch(() => {});
    done++;
  };
  async function run(): Promise<void> {
    const asked: Promise<void>[] = [];
    for (let turn = 0; !stopped; turn++) {
      asked.push(ask(turn));
      await sleep(25);
    }
    await Promise.all(asked);
  }
  const ended = run();
  const stop = async () => {
    stopped = true;
    await ended;
  };
  onTestFinished(stop);
  return {
    /** Waits until so many more have an answer or have stopped waiting. */
    async done(more: number): Promise<void> {
      const wanted = done + more;
      await vi.waitUntil(() => done >= wanted, limits);
    },
    stop,
  };
}

test("readers of the embedded database who stop reading are cut off", async () => {
  const service = await useService({ databaseUrl: "pglite::memory:" });
  await service.server.start();
  await fillStore(service, scores);
  const { uri } = service.server.info;
  await stall(uri, 50);
  expect(await scrape(uri)).toBe(scores);
  expect(await health(uri)).toBe('{"status":"ok"}');
  const connections = () =>
    new Promise<number>((resolve) => service.server.listener.getConnections((_, count) => resolve(count)));
  await until(async () => (await connections()) === 0);
});
