import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startService, type TestService, useService } from "./support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ auth: "token" });
});
afterAll(() => service.stop());

const get = (url: string, headers: Record<string, string> = {}) => service.server.inject({ url, headers });
const script = "/board/assets/main-1a2b3c4d.js";

test.each(["/", "/board"])("GET %s leads to the Board by a relative address, so also behind a prefix", async (path) => {
  const { statusCode, headers } = await get(path);
  expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: "board/" });
  const prefixed = `https://host/maturity${path}`;
  expect(new URL(String(headers.location), prefixed).pathname).toBe("/maturity/board/");
});

describe.each([
  { path: "/board/", type: /^text\/html; charset=utf-8$/, caching: "no-cache" },
  { path: script, type: /javascript/, caching: "public, max-age=31536000, immutable" },
])("GET $path", ({ path, type, caching }) => {
  test("is open to all, under a policy that lets nothing of another host and no inline script or style in", async () => {
    const { statusCode, headers } = await get(path);
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toMatch(type);
    expect(headers["cache-control"]).toBe(caching);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]));
    expect(policy.join()).not.toMatch(/unsafe|(?:script|style)-src|data:|\*/);
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer" });
  });

  test("has a tag, by which a browser that has it learns that it still holds", async () => {
    const { headers } = await get(path);
    const etag = String(headers.etag);
    const again = await get(path, { "if-none-match": etag });
    expect(again.statusCode).toBe(304);
    expect(again.headers).toMatchObject({ "cache-control": caching });
    expect(again.payload).toBe("");
  });
});

test("a file is compressed for whom understands it", async () => {
  const plain = await get(script);
  const packed = await get(script, { "accept-encoding": "gzip" });
  expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.payload);
});

test.each([
  "/board/assets/",
  "/board/assets/main-00000000.js",
  "/board/assets/..%2findex.html",
  "/board/assets/..%2f..%2fservice.ts",
  "/board/assets/%2e%2e/%2e%2e/service.ts",
  "/board/assets/%2fetc%2fpasswd",
  "/board/assets/.hidden",
  "/board/assets/main-1a2b3c4d.js%00.css",
  "/board/assets/%ff",
  `/board/assets/${"x".repeat(5_000)}`,
  "/board/index.html",
  "/board/package.json",
  "/board/session/x",
])("%s is nothing, and nobody keeps that for a year", async (path) => {
  const { statusCode, headers, payload } = await get(path);
  expect(statusCode).toBe(path.endsWith("%ff") ? 400 : 404);
  expect(String(headers["cache-control"])).not.toMatch(/max-age|immutable/);
  expect(payload).not.toMatch(/doctype|root:/);
});

test.each(["POST", "PUT", "DELETE"] as const)("%s /board/ is refused", async (method) => {
  const { statusCode, headers } = await service.server.inject({ method, url: "/board/" });
  expect({ statusCode, allow: headers.allow }).toEqual({ statusCode: 405, allow: "GET, HEAD" });
});

test("HEAD has the headers of GET and no body", async () => {
  const { statusCode, headers, payload } = await service.server.inject({ method: "HEAD", url: "/board/" });
  expect({ statusCode, payload }).toEqual({ statusCode: 200, payload: "" });
  expect(headers["cache-control"]).toBe("no-cache");
});

test("a new document has another tag", async () => {
  const folder = mkdtempSync(join(tmpdir(), "board-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  const tags = new Set<unknown>();
  for (const content of ["one", "two"]) {
    writeFileSync(join(folder, "index.html"), `${content} ${randomBytes(8).toString("hex")}`);
    const { server } = await useService({ board: pathToFileURL(`${folder}/`) });
    tags.add((await server.inject("/board/")).headers.etag);
  }
  expect(tags.size).toBe(2);
});

test("without the Board none of its paths is there", async () => {
  const { server } = await useService({ board: null, auth: "token" });
  for (const url of ["/board", "/board/", "/board/session", script]) {
    expect((await server.inject(url)).statusCode).toBe(404);
  }
  const payload = JSON.stringify({ token: "x" });
  expect((await server.inject({ method: "POST", url: "/board/session", payload })).statusCode).toBe(404);
});

test("the description of the API does not name them", async () => {
  const { paths } = JSON.parse((await get("/openapi.json")).payload);
  expect(Object.keys(paths).filter((path) => path.startsWith("/board"))).toEqual([]);
});
