import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService, useService } from "./support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const get = async (url: string) => {
  const { statusCode, headers, payload } = await service.server.inject(url);
  return { status: statusCode, type: headers["content-type"], headers, payload };
};

/** What the page loads, as addresses. */
const loaded = (page: string) => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);

test("GET /docs/api is a page of its own, under a policy that lets only scripts of this host run", async () => {
  const { status, type, headers, payload } = await get("/docs/api");
  expect({ status, type }).toEqual({ status: 200, type: "text/html; charset=utf-8" });
  expect(payload).toMatch(/^<!doctype html>/);
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.filter((rule) => rule.startsWith("script-src"))).toEqual([]);
  expect(headers["referrer-policy"]).toBe("no-referrer");
});

test("GET / leads to it where there is no Board", async () => {
  const { server } = await useService({ board: null });
  const { statusCode, headers } = await server.inject("/");
  expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: "docs/" });
});

test("no script stands in the page, nor a handler in a tag", async () => {
  const { payload } = await get("/docs/api");
  const scripts = [...payload.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes, content] of scripts) {
    expect(attributes).toContain("src=");
    expect(content).toBe("");
  }
  expect(payload).not.toMatch(/\son\w+=|javascript:/i);
});

test("the page names no other host", async () => {
  const { payload } = await get("/docs/api");
  expect(payload).not.toMatch(/\w+:\/\/|["'(]\/\//);
  expect((await get("/docs/start.js")).payload).not.toMatch(/\w+:\/\/|["'(]\/\//);
});

test("all the page loads is there", async () => {
  const addresses = loaded((await get("/docs/api")).payload);
  expect(addresses.length).toBeGreaterThan(2);
  for (const address of addresses) {
    expect(address).toMatch(/^[\w.-]+$/);
    expect((await get(`/docs/${address}`)).status).toBe(200);
  }
});

test.each([
  { path: "/docs/start.js", type: /^text\/javascript/, holds: 'url: "../openapi.json"' },
  { path: "/docs/swagger-ui-bundle.js", type: /^(?:text|application)\/javascript/, holds: "SwaggerUIBundle" },
  { path: "/docs/swagger-ui.css", type: /^text\/css/, holds: ".swagger-ui" },
  { path: "/docs/favicon-32x32.png", type: /^image\/png$/, holds: "PNG" },
])("$path answers with its own type and content", async ({ path, type, holds }) => {
  const asset = await get(path);
  expect(asset.status).toBe(200);
  expect(asset.type).toMatch(type);
  expect(asset.payload).toContain(holds);
});

test("the description is made and packed once, for all that ask for it", async () => {
  const { server } = await useService();
  const get = (encoding: string) => server.inject({ url: "/openapi.json", headers: { "accept-encoding": encoding } });
  const plain = await get("identity");
  const packed = [await get("gzip"), await get("gzip")];
  for (const { headers, rawPayload, result } of packed) {
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(headers["content-type"]).toBe(plain.headers["content-type"]);
    expect(gunzipSync(rawPayload).toString()).toBe(plain.payload);
    expect(result).toBe(packed[0]?.result);
  }
});
