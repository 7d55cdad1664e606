import { once } from "node:events";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseExposition } from "./support/exposition-parser.ts";
import { holdSnapshots } from "./support/held-snapshots.ts";
import { fillStore } from "./support/large-store.ts";
import { get, open } from "./support/own-connection.ts";
import { query } from "./support/postgres.ts";
import { sendBytes, useConnection } from "./support/raw-http.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, startService, type TestService, until, useService } from "./support/service.ts";

/** A listening service whose snapshots are kept open until `release`. */
async function useHeldService() {
  const service = await useListening("postgres");
  let arrived = 0;
  service.server.listener.on("request", () => arrived++);
  return { ...service, ...holdSnapshots(service), arrived: (count: number) => until(() => arrived === count) };
}

async function useListening(kind: (typeof engines)[number]): Promise<TestService> {
  const service = await useService({ databaseUrl: await createDatabase(kind) });
  await service.server.start();
  return service;
}

async function scrape({ server }: Pick<TestService, "server">, path = "/metrics") {
  const response = await open(server.info.uri, path);
  return { status: response.statusCode, body: await text(response) };
}

const usedConnections = ({ database }: Pick<TestService, "database">) => database.scrapes.client.pool.numUsed();

const save = ({ database }: Pick<TestService, "database">, area: string) =>
  saveScores(database.knex, [
    {
      ...{ area, team: "t", app: "a", env: "e", scorecard: "security", metric: "sast" },
      ...{ score: 1, raw: {}, scorer: "test@1.0.0" },
    },
  ]);

const areas = ({ body }: { body: string }) => {
  const scores = parseExposition(body).filter(({ name }) => name === "maturity_score");
  return scores.map(({ labels }) => labels.area).sort();
};

test("two hundred scrapes at once cost the database two snapshots, and nobody gets one that began before he asked", async () => {
  const service = await useHeldService();
  await save(service, "early");
  const first = scrape(service);
  await service.held(1);
  await save(service, "late");
  const later = Array.from({ length: 199 }, () => scrape(service));
  await service.arrived(200);
  service.release();
  expect(areas(await first)).toEqual(["early"]);
  const answers = await Promise.all(later);
  expect(answers.map(({ status }) => status)).toEqual(Array(199).fill(200));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(areas((await later[0]) ?? { body: "" })).toEqual(["early", "late"]);
  expect(service.taken()).toBe(2);
});

test("who asks for the same in other words shares the snapshot; another filter or format has its own", async () => {
  const service = await useHeldService();
  const first = scrape(service, "/metrics?collect[]=problems&area=a&area=b");
  await service.held(1);
  const same = [
    "/metrics?collect[]=problems&area=a&area=b",
    "/metrics?area=b&area=a&area=a&collect[]=problems",
    "/metrics?area=b&collect[]=problems&collect[]=problems&area=a",
  ].map((path) => scrape(service, path));
  const other = scrape(service, "/metrics?collect[]=problems&area=a");
  await service.arrived(5);
  service.release();
  for (const { status } of await Promise.all([first, ...same, other])) expect(status).toBe(200);
  expect(service.taken()).toBe(3);
});

test("each filter shows its own rows, though others ask at the same moment", async () => {
  const service = await useHeldService();
  await save(service, "shop");
  await save(service, "bank");
  const snapshots = [scrape(service, "/metrics?area=shop"), scrape(service), scrape(service, "/metrics?area=bank")];
  await service.arrived(3);
  service.release();
  expect((await Promise.all(snapshots)).map(areas)).toEqual([["shop"], ["bank", "shop"], ["bank"]]);
});

test("who does not wait any longer is not taken a snapshot for", async () => {
  const service = await useHeldService();
  const first = scrape(service);
  await service.held(1);
  const gone = await useConnection(service.server.info.uri);
  gone.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  await service.arrived(2);
  const connections = () => new Promise<number>((done) => service.server.listener.getConnections((_, n) => done(n)));
  gone.destroy();
  await until(async () => (await connections()) === 1);
  service.release();
  expect((await first).status).toBe(200);
  await until(() => usedConnections(service) === 0);
  expect(service.taken()).toBe(1);
});

test("a scraper that goes away in the middle leaves no connection behind", async () => {
  const service = await useHeldService();
  const gone = await useConnection(service.server.info.uri);
  gone.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  await service.held(1);
  gone.destroy();
  service.release();
  await until(() => usedConnections(service) === 0);
  expect((await scrape(service)).status).toBe(200);
});

test.each(["", "gzip"])(
  "a database lost midway is an error, not half a scrape: accept-encoding '%s'",
  async (encoding) => {
    const service = await useListening("postgres");
    const holder = new pg.Client({ connectionString: service.databaseUrl });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("BEGIN; LOCK TABLE problems IN ACCESS EXCLUSIVE MODE");
    const asked = open(service.server.info.uri, "/metrics", { headers: { "accept-encoding": encoding } });
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await query(service.databaseUrl, waiting)).rowCount === 1);
    await query(service.databaseUrl, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
    const response = await asked;
    expectRefusal(
      { status: Number(response.statusCode), headers: response.headers, body: JSON.parse(await text(response)) },
      { status: 503, code: "store-unavailable" },
    );
    await until(() => usedConnections(service) === 0);
    await holder.query("ROLLBACK");
    expect((await scrape(service)).status).toBe(200);
  },
);

describe.each(engines)("on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    await service.server.start();
    await fillStore(service, 100);
  });
  afterAll(() => service.stop());

  test.each([
    ["1.1", "identity"],
    ["1.0", "identity"],
    ["1.1", "gzip"],
    ["1.0", "gzip"],
  ])(
    "over HTTP/%s with %s the length stands before the body, and of HEAD nothing else is sent",
    async (version, encoding) => {
      const ask = async (method: string) => {
        const headers = `Host: a\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`;
        const answer = await sendBytes(service, `${method} /metrics HTTP/${version}\r\n${headers}`);
        const end = answer.indexOf("\r\n\r\n");
        return { head: answer.slice(0, end), body: Buffer.from(answer.slice(end + 4), "latin1") };
      };
      const { head, body } = await ask("GET");
      expect(head).toContain(`content-length: ${body.length}`);
      expect(head).not.toMatch(/transfer-encoding/i);
      const plain = (await scrape(service)).body;
      expect((encoding === "gzip" ? gunzipSync(body) : body).toString()).toBe(plain);
      expect(await ask("HEAD")).toEqual({
        head: expect.stringContaining(`content-length: ${body.length}`),
        body: Buffer.of(),
      });
      expect(usedConnections(service)).toBe(0);
    },
  );

  test("three hundred readers that do not read stop neither writes nor scrapes nor health checks", {
    timeout: 60_000,
  }, async () => {
    await fillStore(service, 300);
    const stalled = await Promise.all(Array.from({ length: 300 }, () => useConnection(service.server.info.uri)));
    for (const socket of stalled) socket.write("GET /metrics?collect[]=scores HTTP/1.1\r\nHost: a\r\n\r\n");
    await Promise.all(stalled.map((socket) => once(socket, "readable")));
    expect(usedConnections(service)).toBe(0);
    const key = { area: "write", team: "t", app: "a", env: "e", scorecard: "security", metric: "dast" };
    expect((await post(service, "/score", { ...key, raw: { high: 0, medium: 0 } })).status).toBe(200);
    expect(await get(service.server.info.uri, "/metrics?collect[]=weights")).toContain("maturity_metric_weight{");
    expect((await scrape(service, "/healthz")).body).toBe('{"status":"ok"}');
    expect(areas(await scrape(service, "/metrics?area=write"))).toEqual(["write"]);
    expect((await scrape(service, "/metrics?collect[]=scores")).body.match(/^maturity_score\{/gm)).toHaveLength(401);
  });
});
