import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { unzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { recordAudit } from "../src/store/audit.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { open } from "./support/own-connection.ts";
import { freePort } from "./support/postgres.ts";
import { sendBytes, useConnection } from "./support/raw-http.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, type TestService, until, useService } from "./support/service.ts";
import { useTcpProxy } from "./support/tcp-proxy.ts";

const { raw: _, score: __, scorer: ___, scorecard, metric, ...key } = newScore({ area: "small" });
const changesOfOne = `/history?${new URLSearchParams({ ...key, scorecard, metric })}`;
const changesOfAll = `/history?${new URLSearchParams({ ...key, changes: "true" })}`;
const daysOfOne = "/history?area=small&env=prod";

const lists = [
  ...["/areas", "/teams", "/apps", "/scores", "/problems", "/scorecards", "/changes", "/waivers", "/audit"],
  ...["/registry", "/former-names", "/metric-averages", "/problem-times", "/problem-weeks", "/change-totals"],
  ...[changesOfOne, changesOfAll, daysOfOne],
];

/** Most streams at a time. */
const most = 20;

/** More than what sockets hold. */
const large = 5 * 1_048_576;

async function useListening(databaseUrl?: string): Promise<TestService> {
  const service = await useService(databaseUrl === undefined ? {} : { databaseUrl });
  await recordAudit(service.database.knex, { actor: "test", action: "app.retire", target: {}, details: {} });
  await saveScores(service.database.knex, [newScore({ area: "small" }), newScore({ area: "large", app: "0" })]);
  await service.server.start();
  return service;
}

/** Makes so many scores with results that are larger than a page of several. */
async function addLarge({ database }: TestService, count: number): Promise<void> {
  const apps = Array.from({ length: count }, (_, app) => newScore({ area: "large", app: String(app) }));
  await saveScores(database.knex, apps);
  const raw = JSON.stringify({ text: randomBytes(large).toString("base64") }); // gzip makes little less of it
  await database.background.raw(
    "UPDATE scores SET raw = ?::jsonb WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE area = 'large')",
    [raw],
  );
}

const stream = { headers: { accept: "application/x-ndjson" } };
const path = "/scores?area=large&detail=true";

/** Begins a stream, and reads nothing of it but its first bytes. */
async function useStalled(service: TestService, encoding: string) {
  const socket = await useConnection(service.server.info.uri);
  const { accept } = stream.headers;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

const statusOf = async (service: TestService) => {
  const response = await open(service.server.info.uri, path, stream);
  response.destroy();
  return response.statusCode;
};

const usedConnections = ({ database }: TestService) => database.reads.client.pool.numUsed();

test.each([
  [1, "identity"],
  [3, "identity"],
  [3, "gzip"],
])(
  "%d pages that nobody takes hold no connection, keep nobody else waiting, and are few: %s",
  async (pages, encoding) => {
    const service = await useListening();
    await addLarge(service, pages);
    const stalled = await Promise.all(Array.from({ length: most }, () => useStalled(service, encoding)));
    await until(() => usedConnections(service) === 0);
    const refused = await open(service.server.info.uri, path, stream);
    expect(refused.headers["retry-after"]).toBe("1");
    expectRefusal(
      { status: Number(refused.statusCode), headers: {}, body: JSON.parse(await text(refused)) },
      { status: 503, code: "overloaded" },
    );
    const key = { area: "new", team: "t", app: "a", env: "e", scorecard: "security", metric: "dast" };
    expect(await post(service, "/score", { ...key, raw: { high: 0, medium: 0 } })).toMatchObject({ status: 200 });
    expect(await readPage(service, "/scores?area=new")).toMatchObject({ total: 1 });
    for (const socket of stalled) socket.destroy();
    await until(async () => (await statusOf(service)) === 200);
    await until(() => usedConnections(service) === 0);
  },
);

test("streams of the same list that begin together share their pages, and each gets all of it", async () => {
  const service = await useListening();
  const apps = Array.from({ length: 2_500 }, (_, app) => newScore({ area: "many", app: String(app) }));
  for (let first = 0; first < apps.length; first += 500) {
    await saveScores(service.database.knex, apps.slice(first, first + 500));
  }
  let statements = 0;
  service.database.lists.on("query", () => statements++);
  const ask = (area: string) => service.server.inject({ url: `/scores?area=${area}`, headers: { accept: "text/csv" } });
  const answers = await Promise.all(Array.from({ length: most - 1 }, () => ask("many")).concat(ask("small")));
  const texts = answers.map(({ payload }) => payload);
  expect(new Set(texts.slice(0, -1)).size).toBe(1);
  expect(texts[0]?.trimEnd().split("\r\n")).toHaveLength(1 + apps.length);
  expect(texts.at(-1)?.trimEnd().split("\r\n")).toHaveLength(2);
  expect(statements).toBeLessThan(2 * most); // with two for each of three pages, so not even the first is read by each
});

test("a stream shows what was written before it began, whatever others read before", async () => {
  const service = await useListening();
  const ask = () => service.server.inject({ url: "/scores?area=small", headers: { accept: "application/x-ndjson" } });
  const answers: Promise<number>[] = [];
  for (let app = 0; app < 10; app++) {
    await saveScores(service.database.knex, [newScore({ area: "small", app: `further-${app}` })]);
    answers.push(ask().then(({ payload }) => payload.trimEnd().split("\n").length));
  }
  for (const [index, count] of (await Promise.all(answers)).entries()) expect(count).toBeGreaterThanOrEqual(index + 2);
});

test("HEAD of a stream sends nothing and leaves nothing behind", async () => {
  const service = await useListening();
  for (let round = 0; round < most + 5; round++) {
    const request = `HEAD /scores HTTP/1.1\r\nHost: a\r\nAccept: text/csv\r\nConnection: close\r\n\r\n`;
    const answer = await sendBytes(service, request);
    expect(answer).toMatch(/^HTTP\/1.1 200 .*content-type: text\/csv.*\r\n\r\n$/s);
  }
});

test("a caller who could not see that a stream breaks off gets none, and pages as all others", async () => {
  const service = await useListening();
  const ask = (accept: string) => sendBytes(service, `GET /scores HTTP/1.0\r\nHost: a\r\nAccept: ${accept}\r\n\r\n`);
  for (const accept of ["text/csv", "application/x-ndjson"]) {
    expect(await ask(accept)).toMatch(/^HTTP\/1\.1 400 .*need HTTP\/1\.1; nginx .*proxy_http_version 1\.1/s);
  }
  expect(await ask("application/json")).toMatch(/^HTTP\/1\.1 200 .*content-length: \d+\r\n.*"total":2}$/s);
});

test("who hangs up before the first page leaves nothing behind", async () => {
  const service = await useListening();
  for (let round = 0; round < 2; round++) {
    const { end } = await useHolder(service.databaseUrl, "LOCK TABLE scores IN ACCESS EXCLUSIVE MODE");
    const sockets = await Promise.all(Array.from({ length: most }, () => useConnection(service.server.info.uri)));
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/csv\r\n\r\n`);
    await until(() => usedConnections(service) > 0);
    for (const socket of sockets) socket.destroy();
    await end("COMMIT");
    await until(async () => (await statusOf(service)) === 200);
    await until(() => usedConnections(service) === 0);
  }
});

test.each(["identity", "gzip"])("a stream that loses its database is broken off, not ended: %s", async (encoding) => {
  const proxy = useTcpProxy(await createDatabase("postgres"), await freePort());
  await proxy.open();
  const service = await useListening(proxy.url);
  await addLarge(service, 4);
  const response = await open(service.server.info.uri, path, {
    headers: { accept: "text/csv", "accept-encoding": encoding },
  });
  expect([response.statusCode, response.headers["content-encoding"]]).toEqual([
    200,
    encoding === "gzip" ? "gzip" : undefined,
  ]);
  await proxy.shut();
  await expect(text(response)).rejects.toThrow(/aborted/);
  expect(response.complete).toBe(false);
  await proxy.open();
  await until(async () => (await statusOf(service)) === 200);
});

describe.each(["text/csv", "application/x-ndjson"])("as %s", (accept) => {
  test.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["gzip, deflate, br", "gzip"],
    ["deflate", "deflate"],
    ["br", undefined],
    ["gzip;q=0", undefined],
    ["gzip;q=0, *;q=0", undefined],
    ["gzip;q=0.1, identity;q=0", "gzip"],
  ])("a caller who accepts %s gets %s", async (accepted, encoding) => {
    const { server } = await useListening();
    for (const url of lists) {
      const plain = await server.inject({ url, headers: { accept } });
      const { headers, rawPayload } = await server.inject({
        url,
        headers: { accept, ...(accepted !== undefined && { "accept-encoding": accepted }) },
      });
      expect([headers["content-type"], headers["content-encoding"]]).toEqual([`${accept}; charset=utf-8`, encoding]);
      expect(String(headers.vary)).toContain("accept-encoding");
      const unpacked = encoding === undefined ? rawPayload : unzipSync(rawPayload);
      expect(unpacked.toString()).toBe(plain.payload);
    }
  });
});

describe("while somebody else holds the table of scores", () => {
  test.each(["/areas", "/teams", "/apps", "/scores", "/changes", changesOfOne])(
    "%s asks to try again, however impatient the connection",
    async (url) => {
      const service = await useListening();
      service.server.listener.setTimeout(50); // of silence, before connections are closed
      const { end } = await useHolder(service.databaseUrl, "LOCK TABLE scores IN ACCESS EXCLUSIVE MODE");
      for (const headers of [{}, stream.headers]) {
        const response = await open(service.server.info.uri, url, { headers });
        expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "5"]);
        expect(JSON.parse(await text(response)).code).toBe("store-unavailable");
      }
      expect(service.database.knex.client.pool.numUsed()).toBe(0);
      await end("COMMIT");
      expect((await readPage(service, url)).total).toBeGreaterThan(0);
    },
  );
});

test.each(lists)("%s packs with gzip what it sends, and sends nothing with 304", async (url) => {
  const service = await useListening();
  const headers = { "accept-encoding": "gzip" };
  const { etag } = (await service.server.inject({ url, headers })).headers;
  const {
    statusCode,
    rawPayload,
    headers: answered,
  } = await service.server.inject({
    url,
    headers: { ...headers, "if-none-match": String(etag) },
  });
  expect([statusCode, rawPayload.length, answered["content-encoding"], answered.etag]).toEqual([
    304,
    0,
    undefined,
    etag,
  ]);
});

test("a database that stops all reads at once is answered to each of fifty callers, and not for longer than it lasts", async () => {
  const service = await useListening();
  const { end } = await useHolder(service.databaseUrl, "LOCK TABLE scores IN ACCESS EXCLUSIVE MODE");
  const answers = Array.from({ length: 50 }, (_, index) => service.server.inject(lists[index % 3] ?? ""));
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  await end("COMMIT");
  expect((await readPage(service, "/areas")).total).toBeGreaterThan(0);
});
