import { deflateSync, gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tokenOfBadge } from "./support/badges.ts";
import { campaign } from "./support/campaigns.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";

/** Every path, with the methods it takes. */
const paths: Readonly<Record<string, string>> = {
  "/": "GET, HEAD",
  "/score": "POST",
  "/scores": "POST, GET, HEAD",
  "/problem/scan-result": "POST",
  "/areas": "GET, HEAD",
  "/teams": "GET, HEAD",
  "/apps": "GET, HEAD",
  "/registry": "PUT, GET, HEAD",
  "/former-names": "GET, HEAD",
  "/apps/move": "POST",
  "/apps/retire": "POST",
  "/apps/restore": "POST",
  "/problems": "GET, HEAD",
  "/problem-times": "GET, HEAD",
  "/problem-weeks": "GET, HEAD",
  "/scorecards": "GET, HEAD",
  "/levels": "GET, HEAD",
  "/metric-averages": "GET, HEAD",
  "/search": "GET, HEAD",
  "/changes": "GET, HEAD",
  "/change-totals": "GET, HEAD",
  "/history": "GET, HEAD",
  "/audit": "GET, HEAD",
  "/campaigns": "POST, GET, HEAD",
  "/campaigns/{id}": "GET, HEAD, PATCH",
  "/campaigns/{id}/members": "GET, HEAD",
  "/campaigns/{id}/days": "GET, HEAD",
  "/campaigns/{id}/groups": "GET, HEAD",
  "/badges": "POST, GET, HEAD",
  "/badges/{id}": "DELETE",
  "/badge/{token}.svg": "GET, HEAD",
  "/badge/{token}.json": "GET, HEAD",
  "/waivers": "POST, GET, HEAD",
  "/waivers/{id}": "DELETE",
  "/waivers/{id}/approve": "POST",
  "/waivers/{id}/reject": "POST",
  "/waivers/{id}/withdraw": "POST",
  "/whoami": "GET, HEAD",
  "/metrics": "GET, HEAD",
  "/metrics/service": "GET, HEAD",
  "/healthz": "GET, HEAD",
  "/livez": "GET, HEAD",
  "/openapi.json": "GET, HEAD",
  "/docs": "GET, HEAD",
  "/docs/": "GET, HEAD",
  "/docs/api": "GET, HEAD",
  "/docs/start.js": "GET, HEAD",
  "/docs/swagger-ui.css": "GET, HEAD",
  "/docs/swagger-ui-bundle.js": "GET, HEAD",
  "/docs/favicon-32x32.png": "GET, HEAD",
  "/board": "GET, HEAD",
  "/board/": "GET, HEAD",
  "/board/assets/main-1a2b3c4d.js": "GET, HEAD",
  "/board/session": "POST, GET, HEAD, DELETE",
};

/** Where GET leads. */
const redirects: Readonly<Record<string, string>> = {
  "/": "board/",
  "/board": "board/",
  "/docs": "docs/",
  // The sources have no site.
  "/docs/": "api",
};

/** What a list needs to be asked at all. */
const needed: Readonly<Record<string, string>> = { "/history": "?area=shop&env=prod", "/search": "?q=cart" };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const readable = Object.keys(paths)
  .filter((path) => paths[path]?.includes("GET"))
  .map((path) => path + (needed[path] ?? ""));
const notTaken = Object.entries(paths).flatMap(([path, allow]) =>
  methods.filter((method) => !allow.split(", ").includes(method)).map((method) => ({ method, path, allow })),
);

describe.each(engines)("the paths on %s", (kind) => {
  let service: TestService;
  let campaignId: string;
  let badgeToken: string;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    campaignId = (await campaign(service)).id;
    badgeToken = await tokenOfBadge(service);
  });
  afterAll(() => service.stop());

  test("are the documented ones", () => {
    const served = service.server.table().map(({ path }) => path.replace("{file}", "main-1a2b3c4d.js"));
    expect(new Set(served)).toEqual(new Set(Object.keys(paths)));
  });

  test.each(notTaken)("$path answers $method with 405 and what it takes", async ({ method, path, allow }) => {
    const { statusCode, headers, payload } = await service.server.inject({ method, url: path });
    expect({ statusCode, allow: headers.allow }).toEqual({ statusCode: 405, allow });
    if (method === "HEAD") return expect(payload).toBe("");
    expectRefusal(
      { status: statusCode, headers, body: JSON.parse(payload) },
      { status: 405, code: "method-not-allowed", message: new RegExp(`^/.* takes ${allow}$`) },
    );
  });

  test.each(readable)("%s answers HEAD as GET, without a body, however often", async (readablePath) => {
    const path = readablePath.replace("{id}", campaignId).replace("{token}", badgeToken);
    for (let round = 0; round < 5; round++) {
      const { statusCode, payload } = await service.server.inject({ method: "HEAD", url: path });
      expect({ statusCode, payload }).toEqual({ statusCode: path in redirects ? 302 : 200, payload: "" });
    }
    const { statusCode, headers, payload } = await service.server.inject(path);
    if (path in redirects)
      return expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: redirects[path] });
    expect(statusCode).toBe(200);
    expect(payload).not.toBe("");
  });

  test.each([
    "/nope",
    "/Score",
    "/score/",
    "/problem",
    "/docs/../package.json",
    "/docs/swagger-ui.js",
    "/%2e%2e/x",
    "/%",
  ])("there is nothing at %s", async (url) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const { statusCode, headers, payload } = await service.server.inject({ method, url });
      const answer = { status: statusCode, headers, body: JSON.parse(payload) };
      expectRefusal(answer, { status: 404, code: "not-found", message: /\/docs\/ describes what there is/ });
    }
  });
});

describe("any request", () => {
  const body = { area: "a", team: "t", app: "a", env: "e", scorecard: "reliability", metric: "sla" };
  const payload = JSON.stringify({ ...body, raw: { availability_pct: 99 } });

  test.each(['prefs={"a":"b"}', "a", "=;;=", "a=b; a=c", 'sid="', "\u00e9=\u00ff", "x".repeat(4_096)])(
    "may come with the cookie %s",
    async (cookie) => {
      const { server } = await useService();
      const answers = [
        await server.inject({ url: "/metrics", headers: { cookie } }),
        await server.inject({ url: "/healthz", headers: { cookie } }),
        await server.inject({
          method: "POST",
          url: "/score",
          payload,
          headers: { cookie, "content-type": "application/json" },
        }),
        await server.inject({ url: "/nope", headers: { cookie } }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 404]);
    },
  );

  const packings: Readonly<Record<string, (bytes: string) => Buffer>> = {
    gzip: gzipSync,
    GZIP: gzipSync,
    "x-gzip": gzipSync,
    " gzip ": gzipSync,
    deflate: deflateSync,
    Deflate: deflateSync,
    identity: Buffer.from,
    "": Buffer.from,
  };

  test("may be compressed", async () => {
    const { server } = await useService();
    for (const [encoding, pack] of Object.entries(packings)) {
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      const { statusCode } = await server.inject({ method: "POST", url: "/score", payload: pack(payload), headers });
      expect.soft(statusCode, encoding).toBe(200);
    }
  });

  test.each([
    ["twice", "gzip", gzipSync(gzipSync(payload))],
    ["without saying so", "", gzipSync(payload)],
  ])("may not be compressed %s, and the answer shows that", async (_, encoding, packed) => {
    const headers = { "content-type": "application/json", "content-encoding": encoding };
    const { server } = await useService();
    const { result } = await server.inject({ method: "POST", url: "/score", payload: packed, headers });
    expect(result).toMatchObject({
      code: "invalid-payload",
      message: "the body is compressed with gzip once more than content-encoding says",
    });
  });
});

test("an internal error shows its caller nothing, and the log everything", async () => {
  const log: string[] = [];
  const service = await useService({ logger: pino({ level: "error" }, { write: (line) => void log.push(line) }) });
  await service.database.knex.raw("ALTER TABLE scores RENAME TO hunter2");
  const body = { area: "a", team: "t", app: "a", env: "e", scorecard: "reliability", metric: "sla" };
  const answer = await post(service, "/score", { ...body, raw: { availability_pct: 99 } });
  expectRefusal(answer, { status: 500, code: "internal", message: /^an internal error occurred/ });
  expect(log.join("")).toMatch(/relation \\"scores\\" does not exist/);
});
