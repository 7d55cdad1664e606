import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Badge, badge, badged } from "./support/badges.ts";
import { hostileNames } from "./support/hostile-names.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";
import { waive } from "./support/waivers.ts";

const levels = [
  { name: "fine", minScore: 50 },
  { name: '<b>"gold"</b> & more', minScore: 90 },
];

async function report({ server }: Pick<TestService, "server">, found: boolean, fields: object = {}): Promise<void> {
  const score = { ...badged, scorecard: "security", metric: "secret_scan", raw: { found }, ...fields };
  const { status, body } = await post({ server }, "/score", score);
  expect(status, JSON.stringify(body)).toBe(200);
}

async function show({ server }: Pick<TestService, "server">, url: string) {
  const { statusCode: status, headers, payload } = await server.inject(url);
  return { status, headers, payload };
}

/** For how many seconds an answer may be kept. */
function secondsOf({ headers }: Pick<Awaited<ReturnType<typeof show>>, "headers">): number {
  return Number(/^public, max-age=(\d+)$/.exec(String(headers["cache-control"]))?.[1]);
}

async function revoke({ server }: Pick<TestService, "server">, id: string) {
  const { statusCode } = await server.inject({ method: "DELETE", url: `/badges/${id}` });
  return statusCode;
}

describe.each(engines)("a badge on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), levels });
    await report(service, false);
    await report(service, false, { scorecard: "security", metric: "sast", raw: { critical: 0, high: 1, medium: 0 } });
  });
  afterAll(() => service.stop());

  test.each([
    ["the score", { shows: "score" }, { label: "maturity", message: "92 / 100", color: "brightgreen" }],
    ["the level", { shows: "level" }, { label: "maturity", message: levels[1]?.name, color: "brightgreen" }],
    [
      "a metric",
      { shows: "metric", scorecard: "security", metric: "sast" },
      { label: "Vulnerabilities in the source", message: "84 / 100", color: "green" },
    ],
    [
      "a metric that never reported",
      { shows: "metric", scorecard: "security", metric: "dast" },
      { message: "unknown", color: "lightgrey" },
    ],
  ])("shows %s to everybody who has its address, and no name", async (_, fields, expected) => {
    const { svg, json } = await badge(service, fields as object);
    const read = await show(service, json);
    const cacheSeconds = secondsOf(read);
    expect(read).toMatchObject({ status: 200, headers: { "cache-control": `public, max-age=${cacheSeconds}` } });
    expect(JSON.parse(read.payload)).toMatchObject({ schemaVersion: 1, cacheSeconds, ...expected });
    const image = await show(service, svg);
    expect(image).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml; charset=utf-8" } });
    expect(image.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(image.payload).toMatch(/^<svg .*<\/svg>$/s);
    expect(image.payload).not.toMatch(/<b>|<script/);
    for (const name of Object.values(badged)) expect(image.payload + read.payload).not.toContain(name);
  });

  test("shows no less than a sum of floating-point numbers means", async () => {
    const app = { ...badged, app: "rounded" };
    const metrics = [
      { scorecard: "reliability", metric: "sla", raw: { availability_pct: 95.4 } },
      { scorecard: "application", metric: "unit_coverage", raw: { coverage_pct: 32.3 } },
    ];
    for (const metric of metrics)
      expect(await post(service, "/score", { ...app, ...metric })).toMatchObject({ status: 200 });
    const { json } = await badge(service, { ...app, shows: "score" });
    expect(JSON.parse((await show(service, json)).payload)).toMatchObject({ message: "15.5 / 100" });
  });

  test("shows the score of a metric although a waiver leaves the whole application out", async () => {
    const app = { ...badged, app: "waived" };
    const result = { scorecard: "reliability", metric: "sla", raw: { availability_pct: 95.4 } };
    expect(await post(service, "/score", { ...app, ...result })).toMatchObject({ status: 200 });
    await waive(service, { ...app, scorecard: "reliability" });
    const { raw: _, ...metric } = result;
    const messageOf = async (shown: object) =>
      JSON.parse((await show(service, (await badge(service, { ...app, ...shown })).json)).payload).message;
    expect(await messageOf({ shows: "metric", ...metric })).toMatch(/^[\d.]+ \/ 100$/);
    expect(await messageOf({ shows: "score" })).toBe("unknown");
  });

  test("may be kept elsewhere for the rest of its five minutes", async () => {
    const { svg } = await badge(service);
    expect(secondsOf(await show(service, svg))).toBeLessThanOrEqual(300);
    const now = performance.now.bind(performance);
    for (const [passed, most] of [
      [200_000, 100],
      [400_000, 0],
    ] as const) {
      const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
      expect(secondsOf(await show(service, svg))).toBeLessThanOrEqual(most);
      clock.mockRestore();
    }
  });

  test("is one for all that ask for the same, and another once it is revoked", async () => {
    const [one, same] = await Promise.all([badge(service), badge(service)]);
    expect(same).toEqual(one);
    const { items } = await readPage<Badge>(service, "/badges", { app: badged.app });
    expect(items.filter(({ shows }) => shows === "score")).toEqual([one]);
    expect(await revoke(service, one.id)).toBe(200);
    expect(await revoke(service, one.id)).toBe(200);
    expect(await revoke(service, "none")).toBe(404);
    const other = await badge(service);
    expect(other.svg).not.toBe(one.svg);
    expect((await show(service, other.svg)).status).toBe(200);
  });

  test("leads nowhere once it is revoked, as one that never was", async () => {
    const made = await badge(service, { shows: "level" });
    expect(await revoke(service, made.id)).toBe(200);
    const other = await useOther(service);
    const revoked = await show(other, made.svg);
    const forged = await show(other, `/badge/${"A".repeat(43)}.svg`);
    expect({ ...revoked, headers: {} }).toEqual({ ...forged, headers: {} });
    expect(revoked.status).toBe(404);
    expect(revoked.headers["cache-control"]).not.toContain("public");
  });

  test("has an address that cannot be made up", async () => {
    const { svg, id } = await badge(service);
    const token = /[^/]+(?=\.svg$)/.exec(svg)?.[0] ?? "";
    const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
    const unsigned = createHash("sha256").update(bytes).digest().subarray(0, 16);
    const forged = [
      ...Array.from(token, (letter, at) => token.slice(0, at) + (letter === "A" ? "B" : "A") + token.slice(at + 1)),
      Buffer.concat([bytes, unsigned]).toString("base64url"),
      Buffer.concat([bytes, Buffer.alloc(16)]).toString("base64url"),
      ...[
        id,
        token.slice(0, -1),
        `${token}A`,
        `${token}=`,
        token.toLowerCase(),
        "%00",
        encodeURIComponent("' OR 1=1 --"),
      ],
    ];
    for (const path of forged) {
      expect([path, (await show(service, `/badge/${path}.svg`)).status]).toEqual([path, 404]);
      expect([path, (await show(service, `/badge/${path}.json`)).status]).toEqual([path, 404]);
    }
    expect((await show(service, svg)).status).toBe(200);
  });

  test("stays with its application when that moves, and says nothing once it is retired", async () => {
    const { env, ...app } = badged;
    const from = { ...app, app: "from" };
    await report(service, false, { app: "from" });
    const { json } = await badge(service, { app: "from" });
    await post(service, "/apps/move", { from, to: { ...app, app: "to" } });
    const moved = await readPage<Badge>(service, "/badges", { app: "to" });
    expect(moved.items).toMatchObject([{ json, app: "to", env }]);
    expect(JSON.parse((await show(await useOther(service), json)).payload)).toMatchObject({ message: "100 / 100" });
    await report(service, true, { app: "into" });
    await post(service, "/apps/move", { from: { ...app, app: "to" }, to: { ...app, app: "into" }, merge: true });
    expect((await readPage<Badge>(service, "/badges", { app: "into" })).items).toMatchObject([{ json }]);
    await post(service, "/apps/retire", { ...app, app: "into", reason: "sold" });
    expect(JSON.parse((await show(await useOther(service), json)).payload)).toMatchObject({ message: "unknown" });
    expectRefusal(await post(service, "/badges", { ...badged, app: "into", shows: "level" }), {
      ...{ status: 409, code: "app-retired", paths: ["app"] },
    });
  });

  test("of what nothing has is refused with the nearest name", async () => {
    const refused = async (fields: object, paths: readonly string[], message: RegExp) =>
      expectRefusal(await post(service, "/badges", { ...badged, shows: "score", ...fields }), {
        paths,
        message,
      });
    await refused({ app: "badge" }, ["app"], /did you mean "badged"\?/);
    await refused({ env: "prd" }, ["env"], /did you mean "prod"\?/);
    await refused({ shows: "metric", scorecard: "security", metric: "sat" }, ["metric"], /installed: .*sast/);
    await refused({ shows: "metric", scorecard: "x", metric: "sast" }, ["scorecard"], /installed: security/);
    await refused({ scorecard: "security", metric: "sast" }, ["metric", "scorecard"], /only where shows is metric/);
    await refused({ shows: "metric" }, ["scorecard", "metric"], /is required/);
    await refused({ shows: "metric", scorecard: "security" }, ["metric"], /is required/);
    await refused({ shows: "metric", metric: "sast" }, ["scorecard"], /is required/);
    await refused({ shows: "colour" }, ["shows"], /must be one of/);
    await refused({ shows: undefined }, ["shows"], /is required/);
  });
});

/** Another instance, which has cached nothing; of the embedded database, which has one process, the same one later. */
async function useOther({ databaseUrl, ...service }: TestService): Promise<Pick<TestService, "server">> {
  if (!databaseUrl.startsWith("pglite:")) return useService({ databaseUrl, levels });
  const { createServer } = await import("../src/commands/serve/server.ts");
  const { createServiceMetrics } = await import("../src/http/service-metrics.ts");
  const { pino } = await import("pino");
  const { shippedEngine } = await import("./support/service.ts");
  const config = {
    host: "127.0.0.1",
    port: 0,
    auth: "none",
    trustedProxies: [],
    historyDays: 400,
    unregistered: "accept",
  };
  const server = await createServer({
    ...{
      engine: shippedEngine,
      rules: { scorecards: shippedEngine.scorecards, levels, applies: [] },
      database: service.database,
      notifications: service.notifications,
    },
    ...{ metrics: createServiceMetrics(service.database), logger: pino({ level: "silent" }), config: config as never },
  });
  await server.initialize();
  return { server };
}

test("names of every kind are badged, and the image stays whole", async () => {
  const service = await useService();
  for (const name of hostileNames.slice(0, 40)) {
    await report(service, false, { app: name, env: name });
    const { svg } = await badge(service, { app: name, env: name });
    const { status, payload } = await show(service, svg);
    expect([name, status]).toEqual([name, 200]);
    expect(payload).toContain("100 / 100");
  }
});

test("what is held has no badge", async () => {
  const service = await useService({ unregistered: "hold" });
  await report(service, false);
  expectRefusal(await post(service, "/badges", { ...badged, shows: "score" }), { paths: ["area"] });
  const { env: _, ...app } = badged;
  await put(service, "/registry", { apps: [app] });
  const { json } = await badge(service);
  expect(JSON.parse((await show(service, json)).payload)).toMatchObject({ message: "100 / 100" });
});

test("a flood of badges costs the database one reading, and reports go on", async () => {
  const service = await useService();
  await report(service, false);
  const { svg, json } = await badge(service);
  const statements: string[] = [];
  for (const pool of new Set([service.database.reads, service.database.lists])) {
    pool.on("query", ({ sql }: { sql: string }) => statements.push(sql));
  }
  const flood = Array.from({ length: 1_000 }, (_, turn) => show(service, turn % 2 ? svg : json));
  const forged = Array.from({ length: 1_000 }, () => show(service, `/badge/${"A".repeat(43)}.svg`));
  for (let turn = 0; turn < 20; turn++) await report(service, turn % 2 === 0);
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
  expect(statuses).toEqual(new Set([200]));
  expect(new Set((await Promise.all(forged)).map(({ status }) => status))).toEqual(new Set([404]));
  expect(statements.filter((sql) => sql.includes("FROM badges"))).toHaveLength(1);
});
