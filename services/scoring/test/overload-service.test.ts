import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readableLog } from "./support/log.ts";
import { get, open, post } from "./support/own-connection.ts";
import { until, useService } from "./support/service.ts";

const score = (app: string) => ({
  ...{ area: "shop", team: "checkout", app, env: "prod", scorecard: "security", metric: "dast" },
  raw: { high: 0, medium: 0 },
});

test("while the store stands still, what there is no room for is turned away, and health checks are answered", async () => {
  const log = readableLog();
  const { server, database } = await useService({ logger: log.logger });
  await server.start();
  const address = server.info.uri;
  const trx = await database.background.transaction();
  await trx.raw("LOCK TABLE scores");
  const padding = "x".repeat(190);
  const batch = (client: number) => ({
    scores: Array.from({ length: 1_000 }, (_, index) => score(`${padding}-${client}-${index}`)),
  });
  const codes = await Promise.all(
    Array.from({ length: 30 }, async (_, client) => {
      const response = await post(address, "/scores", batch(client));
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await fetch(new URL("/livez", address))).status).toBe(200);
      return ((await response.json()) as { code: string }).code;
    }),
  );
  expect(new Set(codes)).toEqual(new Set(["overloaded", "store-unavailable"]));
  expect(await get(address, "/metrics/service")).toMatch(
    /^maturity_overload_total\{what="request_refused"\} [1-9]\d*$/m,
  );
  expect(log.from(40).map(({ msg }) => msg)).toContain("overloaded: refused what there is no room for");
  await trx.rollback();
  expect((await post(address, "/score", score("after"))).status).toBe(200);
});

/** A service whose connections for lists are all in use, and 300 callers of a list beside them. */
async function useFlood() {
  const log = readableLog();
  const { server, database } = await useService({ logger: log.logger });
  await server.start();
  const address = server.info.uri;
  expect((await post(address, "/score", score("before"))).status).toBe(200);
  const held = await Promise.all(Array.from({ length: 4 }, () => database.lists.transaction()));
  const callers = Array.from({ length: 300 }, async () => {
    const response = await open(address, "/scores");
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  });
  let refused = 0;
  for (const caller of callers) void caller.then(({ status }) => void (status === 503 && refused++));
  await until(() => refused >= 50);
  return {
    ...{ server, address, log },
    callers,
    release: async () => void (await Promise.all(held.map((transaction) => transaction.rollback()))),
  };
}

test("while more ask for lists than there is room for, what needs no token is answered", async () => {
  const { server, address, callers, release } = await useFlood();
  const paths = server
    .table()
    .filter(({ method, settings }) => method === "get" && (settings.auth as unknown) === false)
    .map(({ path }) => path.replace(/\{\w+\}/, "any"));
  expect(paths).toEqual(expect.arrayContaining(["/openapi.json", "/docs/api", "/badge/any.svg"]));
  const answered = async (path: string) => {
    const { status } = await fetch(new URL(path, address), { redirect: "manual" });
    return `${path} ${status}`;
  };
  for (const path of [...paths, "/nothing/there"]) expect(await answered(path)).toMatch(/ (?:200|30\d|404)$/);
  await release();
  await Promise.all(callers);
});

test("while more ask for lists than there is room for, writes, scrapes and health checks are answered", async () => {
  const { address, log, callers, release } = await useFlood();
  for (const path of ["/healthz", "/livez"]) expect(await get(address, path)).toMatch(/^\{"status":"ok"/);
  expect((await post(address, "/score", score("beside"))).status).toBe(200);
  expect(await get(address, "/metrics")).toContain('app="beside"');
  expect(await get(address, "/metrics/service")).toMatch(
    /^maturity_overload_total\{what="request_refused"\} [1-9]\d*$/m,
  );
  expect((await open(address, "/apps")).statusCode).toBe(503);
  expect((await fetch(new URL("/apps", address), { method: "HEAD" })).status).toBe(503);
  await release();
  const answers = await Promise.all(callers);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(answers.filter(({ status }) => status === 503).map(({ body }) => body.code)).toContain("overloaded");
  expect(log.from(40).map(({ msg }) => msg)).toContain("overloaded: refused what there is no room for");
  expect(JSON.parse(await get(address, "/scores"))).toMatchObject({ total: 2 });
});
