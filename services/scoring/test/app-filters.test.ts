import { afterAll, beforeAll, expect, test } from "vitest";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, startService, type TestService } from "./support/service.ts";
import { storeProblem } from "./support/store.ts";
import { waive } from "./support/waivers.ts";

interface ShownApp {
  readonly app: string;
  readonly env: string | null;
  readonly state: string;
  readonly thin: boolean;
  readonly score: number | null;
}

const names = { area: "shop", team: "checkout" };
const hour = 3_600_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ databaseUrl: await createDatabase("pglite"), unregistered: "hold" });
  const { knex } = service.database;
  const register = (app: string, facts: object) => put(service, "/registry", { ...names, app, ...facts });
  await register("cart", { owner: "ann", tier: "1", labels: { kind: "service", expression: "a=b" } });
  await register("till", { owner: "ben", tier: "2", labels: { kind: "job" } });
  await register("old", { tier: "1", labels: { kind: "service" } });
  await register("problems only", {});
  await register("silent", { owner: "ann", labels: { expression: "" } });
  await register("waived", {});
  await saveScores(knex, [
    ...["image_scan", "secret_scan", "sast", "dast"].map((metric) =>
      newScore({ ...names, app: "cart", metric, score: 90 }),
    ),
    ...["sla", "mttr", "mttd"].map((metric) =>
      newScore({ ...names, app: "cart", scorecard: "reliability", metric, score: 90 }),
    ),
    newScore({ ...names, app: "till", scorecard: "reliability", metric: "sla", score: 60 }),
    newScore({ ...names, app: "old", metric: "sast", score: 40 }),
    newScore({ ...names, app: "waived", scorecard: "reliability", metric: "sla", score: 40 }),
  ]);
  const month = new Date(Date.now() - 30 * 24 * hour);
  await knex.raw(
    "UPDATE scores SET reported_at = ? WHERE score = 40 AND metric_id IN (SELECT id FROM metrics WHERE metric = 'sast')",
    [month],
  );
  await storeProblem(knex, { ...problem, ...names, app: "problems only", env: "prod" });
  await waive(service, { ...names, app: "waived", scorecard: "security" });
  const raw = { high: 0, medium: 0 };
  await post(service, "/score", { ...names, app: "held", env: "prod", scorecard: "security", metric: "dast", raw });
});
afterAll(() => service.stop());

async function found(query: string): Promise<string[]> {
  const { items, total } = await readPage<ShownApp>(service, `/apps?sort=name&${query}`);
  expect(total).toBe(items.length);
  return items.map(({ app }) => app);
}

test.each<[query: string, apps: readonly string[]]>([
  ["", ["cart", "old", "problems only", "silent", "till", "waived"]],
  ["state=fresh", ["cart", "till", "waived"]],
  ["state=stale", ["old"]],
  ["state=silent", ["problems only", "silent"]],
  ["state=silent&env=prod", ["problems only"]],
  ["state=held", ["held"]],
  ["state=held&env=staging", []],
  ["state=held&state=stale", ["held", "old"]],
  ["state=held&owner=ann", []],
  ["missing=security", ["problems only", "silent", "till"]],
  ["missing=security&env=prod", ["problems only", "till"]],
  ["missing=reliability", ["old", "problems only", "silent"]],
  ["missing=security.dast", ["old", "problems only", "silent", "till"]],
  ["missing=security&missing=reliability.sla", ["old", "problems only", "silent", "till"]],
  ["owner=ann", ["cart", "silent"]],
  ["owner=ann&owner=ben", ["cart", "silent", "till"]],
  ["tier=1", ["cart", "old"]],
  ["tier=1&owner=ann", ["cart"]],
  ["label=kind%3Dservice", ["cart", "old"]],
  ["label=kind%3Dservice&label=kind%3Djob", ["cart", "old", "till"]],
  ["label=kind%3Dservice&label=expression%3Da%3Db", ["cart"]],
  ["label=expression%3D", ["silent"]],
  ["label=toString%3D", []],
  ["level=bronze", ["cart"]],
  ["below_level=silver&env=prod", ["cart", "old", "problems only", "till", "waived"]],
  ["below_level=bronze&env=prod&state=fresh", ["till", "waived"]],
])("%s finds %j", async (query, apps) => {
  expect(await found(query)).toEqual(apps);
});

test.each<[query: string, path: string, message: RegExp]>([
  ["state=late", "state", /^must be one of .*fresh, stale, silent, held/],
  ["missing=securty", "missing", /^must be one of .*security, .*security.dast/],
  ["label=kind", "label", /^must be a name and a value, such as kind=service$/],
  ["label=%3Dservice", "label", /^must be a name and a value, such as kind=service$/],
  ["below_level=none", "below_level", /^must be one of bronze, silver, gold$/],
  ["below_level=gold&below_level=silver", "below_level", /^must be given once$/],
  ["lacks=2", "lacks", /^must be/],
])("%s is refused", async (query, path, message) => {
  const { statusCode, payload } = await service.server.inject(`/apps?${query}`);
  const { details } = JSON.parse(payload);
  expect([statusCode, details[0]?.path.replace(/\[\d+\]$/, "")]).toEqual([400, path]);
  expect(details[0].message).toMatch(message);
});

test("a score of which a quarter of the weight reported, or less, is thin, in lists and CSV", async () => {
  const { items } = await readPage<ShownApp>(service, "/apps?env=prod");
  expect(Object.fromEntries(items.map(({ app, thin }) => [app, thin]))).toEqual({
    ...{ cart: false, old: true, till: true, waived: true, "problems only": false },
  });
  const [team] = (await readPage<{ thin: boolean }>(service, "/teams")).items;
  expect(team?.thin).toBe(true);
  const { payload } = await service.server.inject({ url: "/apps?app=till", headers: { accept: "text/csv" } });
  const [head = "", line = ""] = payload.split("\r\n");
  expect(line.split(",")[head.split(",").indexOf("thin")]).toBe("true");
  expect(head).toContain(",state,registered,");
  expect(line).toContain(",fresh,true,");
});

test("what is held is shown without any of its results", async () => {
  for (const query of ["state=held", "state=held&detail=true"]) {
    const [app] = (await readPage<ShownApp>(service, `/apps?${query}&lacks=true`)).items;
    expect(app).toMatchObject({ app: "held", env: "prod", score: null, state: "held", level: null, lacks: null });
    expect(app).not.toHaveProperty("metrics");
  }
});

test("levels are listed for each environment, with their conditions", async () => {
  const { items } = await readPage(service, "/levels?env=prod");
  expect(items).toMatchObject([
    { env: "prod", rank: 0, name: null, conditions: [], count: 3, below: 0 },
    { env: "prod", rank: 1, name: "bronze", conditions: ["score 50", "share fresh 50 %"], count: 1, below: 3 },
    { env: "prod", rank: 2, name: "silver", count: 0, below: 4 },
    { env: "prod", rank: 3, name: "gold", count: 0, below: 4 },
  ]);
  expect((await readPage(service, "/levels?env=none")).items).toEqual([]);
});
