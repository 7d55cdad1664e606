import { hash } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveScores } from "../src/store/scores.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { query } from "./support/postgres.ts";
import { startService, type TestService, until } from "./support/service.ts";

const rows = 60_000;

/** Names that do not compress well, so that a compressed scrape too is larger than what sockets hold. */
const app = (index: number) => hash("sha256", String(index)) + hash("sha256", String(-index - 1));

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  for (let first = 0; first < rows; first += 1_000) {
    const scores = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ area: "area", team: `team-${index % 100}`, app: app(first + index), env: "prod" },
      ...{ scorecard: "security", metric: "image_scan", score: index % 101, raw: {}, scorer: "test@1.0.0" },
    }));
    await saveScores(service.database.knex, scores);
  }
});
afterAll(() => service.stop());

/** Opens a scrape; nothing is read until the caller reads. */
function open(path = "/metrics?collect[]=scores", headers = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${service.server.info.uri}${path}`, { headers }, resolve).once("error", reject);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const scrapeBackends = async () =>
  (
    await query(
      service.databaseUrl,
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'maturity-service scrape' AND state <> 'idle'",
    )
  ).rows;
const usedConnections = () => service.database.scrapes.client.pool.numUsed();

test("every row comes out, and the connection goes back", async () => {
  expect(parseExposition(await read(await open()))).toHaveLength(rows);
  await until(() => usedConnections() === 0);
});

test("a scrape is one snapshot: what is committed while it runs is not in it", async () => {
  const response = await open("/metrics?collect[]=scores&collect[]=timestamps");
  await once(response, "readable");
  const late = { area: "late", team: "t", app: "a", env: "e", scorecard: "security", metric: "sast" };
  await saveScores(service.database.knex, [{ ...late, score: 1, raw: {}, scorer: "test@1.0.0" }]);
  const samples = parseExposition(await read(response));
  expect(samples.filter(({ labels }) => labels.area === "late")).toEqual([]);
  expect(samples).toHaveLength(2 * rows);
  expect(parseExposition(await read(await open("/metrics?collect[]=scores&area=late")))).toHaveLength(1);
  await query(service.databaseUrl, "DELETE FROM scores WHERE area = 'late'");
});

test("a database lost midway breaks the answer off", async () => {
  const response = await open();
  const [backend] = await scrapeBackends();
  await query(service.databaseUrl, `SELECT pg_terminate_backend(${backend.pid})`);
  await expect(read(response)).rejects.toThrow("aborted");
  await until(() => usedConnections() === 0);
  expect(parseExposition(await read(await open()))).toHaveLength(rows);
});

test("a compressed answer is broken off too", async () => {
  const response = await open("/metrics?collect[]=scores&collect[]=timestamps", { "accept-encoding": "gzip" });
  expect(response.headers["content-encoding"]).toBe("gzip");
  const [backend] = await scrapeBackends();
  await query(service.databaseUrl, `SELECT pg_terminate_backend(${backend.pid})`);
  await expect(read(response)).rejects.toThrow("aborted");
  await until(() => usedConnections() === 0);
});

test("a scraper that goes away frees its connection", async () => {
  const response = await open();
  await until(() => usedConnections() === 1);
  response.destroy();
  await until(() => usedConnections() === 0);
  await until(async () => (await scrapeBackends()).length === 0);
});

test("scrapers that do not read do not stop writes, nor does the process hold what they do not take", async () => {
  const stalled = await Promise.all([open(), open()]);
  const before = process.memoryUsage().rss;
  const key = { area: "write", team: "t", app: "a", env: "e", scorecard: "security", metric: "sast" };
  await saveScores(service.database.knex, [{ ...key, score: 1, raw: {}, scorer: "test@1.0.0" }]);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  for (const response of stalled) response.destroy();
  await until(() => usedConnections() === 0);
});
