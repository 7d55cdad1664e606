import { describe, expect, test } from "vitest";
import { brokenStores } from "./support/broken-store.ts";
import type { Server } from "./support/requests.ts";
import { createDatabase, engines, useService } from "./support/service.ts";

const ok = { status: 200, body: '{"status":"ok"}', type: "application/json; charset=utf-8" };
const unavailable = { ...ok, status: 503, body: '{"status":"unavailable"}' };

async function get({ server }: Server, url: string): Promise<typeof ok> {
  const { statusCode, payload, headers } = await server.inject(url);
  return { status: statusCode, body: payload, type: String(headers["content-type"]) };
}

test.each(engines)("/healthz and /livez say ok while the database answers: %s", async (kind) => {
  const service = await useService({ databaseUrl: await createDatabase(kind) });
  expect(await get(service, "/healthz")).toEqual(ok);
  expect(await get(service, "/livez")).toEqual(ok);
});

describe.each(Object.entries(brokenStores))("with %s", (_, broken) => {
  test("/healthz says unavailable, and /livez still ok", async () => {
    const service = await broken();
    expect(await get(service, "/healthz")).toEqual(unavailable);
    expect(await get(service, "/livez")).toEqual(ok);
  });

  test("HEAD tells the same by its status", async () => {
    const { server } = await broken();
    const head = async (url: string) => (await server.inject({ method: "HEAD", url })).statusCode;
    expect([await head("/healthz"), await head("/livez")]).toEqual([503, 200]);
  });
});
