import { randomInt } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordAudit } from "../src/store/audit.ts";
import { badge } from "./support/badges.ts";
import { campaign } from "./support/campaigns.ts";
import { type CursorIdentity, contentOfCursor, forgedCursor } from "./support/forged-cursor.ts";
import { forgedOf, headers, hostileValue, mark, mutatedOf, type Parameter, pairOf } from "./support/fuzz-queries.ts";
import { problem } from "./support/problem-report.ts";
import { readPage, someScores } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";
import { registerNames, storeProblem } from "./support/store.ts";
import { waive } from "./support/waivers.ts";

/** Queries of each list on PostgreSQL. The embedded database, which is slower, gets a tenth of them. */
const inputs = Number(process.env.FUZZ_INPUTS ?? 1_000);
const inBatch = 50;

/** Others in each run; FUZZ_SEED repeats those of a former one. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const run = `FUZZ_SEED=${seed} FUZZ_INPUTS=${inputs}`;
const timeout = 120_000 + 50 * inputs;

/** The lists of the service and their parameters, as the description of the service has them. */
async function listsOf({ server }: TestService): Promise<Map<string, readonly Parameter[]>> {
  const { paths } = JSON.parse((await server.inject("/openapi.json")).payload);
  const gets = Object.entries<{ get?: { parameters?: readonly (Parameter & { readonly in: string })[] } }>(paths);
  return new Map(
    gets.flatMap(([path, { get }]) => {
      const parameters = get?.parameters ?? [];
      const inQuery = parameters.filter(({ in: place }) => place !== "path");
      return inQuery.some(({ name }) => name === "cursor") ? [[path, inQuery] as const] : [];
    }),
  );
}

const lists = [
  ...[
    "/areas",
    "/teams",
    "/apps",
    "/registry",
    "/former-names",
    "/scores",
    "/problems",
    "/scorecards",
    "/levels",
    "/metric-averages",
    "/problem-times",
    "/problem-weeks",
    "/changes",
    "/change-totals",
    "/history",
    "/search",
  ],
  ...["/audit", "/waivers", "/campaigns", "/campaigns/{id}/members", "/campaigns/{id}/days", "/campaigns/{id}/groups"],
  "/badges",
];

const metric = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "secret_scan",
};

/** What a list needs to be asked at all. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/history": metric,
  "/search": { q: "c" },
};

/** Names the failure alone: a batch fills many screens. */
function reporter<T>({ failed, numRuns, errorInstance }: fc.RunDetails<T>): void {
  if (failed) throw new Error(`batch ${numRuns} of ${run} failed`, { cause: errorInstance });
}

describe.each(engines)("on %s", (kind) => {
  let service: TestService;
  let parameters: Map<string, readonly Parameter[]>;
  let campaignId: string;
  const marked: string[] = [];
  beforeAll(async () => {
    process.stdout.write(`${run}\n`);
    service = await startService({ databaseUrl: await createDatabase(kind) });
    const scores = someScores(5);
    await saveScores(service.database.knex, scores);
    for (const [index, { area, team, app, env }] of scores.slice(0, 20).entries()) {
      await storeProblem(service.database.knex, { ...problem, area, team, app, env, problem_type: `kind ${index}` });
    }
    for (const { area } of scores.slice(0, 3)) await waive(service, { area, scorecard: "reliability" });
    service.database.reads.on("query", ({ sql }: { sql: string }) => {
      if (sql.includes(mark)) marked.push(sql);
    });
    for (const place of [1, 2, 3]) {
      const target = { area: scores[place]?.area ?? "" };
      const details = { place };
      await recordAudit(service.database.knex, { actor: "test", action: "app.retire", target, details });
    }
    for (const found of [true, false]) {
      expect(await post(service, "/score", { ...metric, raw: { found } })).toMatchObject({ status: 200 });
    }
    const entry = { area: "shop", team: "checkout", owner: null, repo: null, tier: null, labels: {} };
    await registerNames(
      service.database.knex,
      ["cart", "pay"].map((app) => ({ ...entry, app })),
    );
    await service.database.knex.raw(`
      INSERT INTO names (area, team, app, application_id) SELECT 'former', 't', 'a', id FROM applications WHERE app = 'cart'
    `);
    await service.database.knex.raw(
      "INSERT INTO former_groups (area, team, to_area, to_team) VALUES ('former', 'u', 'shop', 'checkout')",
    );
    const goal = { metric: "security.secret_scan", min: 100 };
    const [made] = await Promise.all(["first", "second"].map((name) => campaign(service, { name, goal })));
    campaignId = String(made?.id);
    await service.database.knex.raw(
      `INSERT INTO campaign_days (campaign_id, day, area, team, members, met, waived, exempt)
       SELECT ?::uuid, day, 'shop', 'checkout', 2, 1, 0, 0 FROM unnest(ARRAY['2026-02-01', '2026-02-02']::date[]) AS day`,
      [campaignId],
    );
    const { area, team, app, env } = metric;
    for (const shows of ["score", "level"] as const) await badge(service, { area, team, app, env, shows });
    parameters = await listsOf(service);
  });
  afterAll(() => service.stop());

  test("every list is among those tried here", () => {
    expect([...parameters.keys()].sort()).toEqual([...lists].sort());
  });

  const pathOf = (path: string) => path.replace("{id}", campaignId);

  /** The first page of a list in each of its orders, with a cursor behind it. */
  async function knownOf(path: string) {
    const own = parameters.get(path) ?? [];
    const sorts = own.find(({ name }) => name === "sort")?.schema.enum ?? [undefined];
    const defaults = Object.fromEntries(
      own.flatMap(({ name, schema }) =>
        schema.default === undefined || name === "limit" ? [] : [[name, schema.default]],
      ),
    );
    return Promise.all(
      sorts.map(async (sort) => {
        const asked = { ...needed[path], ...(sort !== undefined && { sort }) };
        const search = String(new URLSearchParams({ ...asked, limit: "1" }));
        const { next } = await readPage(service, `${pathOf(path)}?${search}`);
        const cursor = String(next);
        const [version, total, position] = contentOfCursor(cursor);
        const ids = path.includes("{id}") ? { id: campaignId } : {};
        const caller = path === "/audit" ? { admin: [{}] } : {};
        const identity: CursorIdentity = [path, { ...asked, ...defaults, ...asked, ...ids, ...caller }, [{}]];
        expect(forgedCursor(identity, JSON.stringify([version, total, position]))).toBe(cursor);
        return { search, identity, position, cursor };
      }),
    );
  }

  test.each(lists)("queries for GET %s", { timeout }, async (path) => {
    const known = await knownOf(path);
    const search = fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .tuple(fc.boolean(), fc.array(pairOf(parameters.get(path) ?? []), { maxLength: 5 }))
          .map(([whole, pairs]) => [...(whole ? [String(new URLSearchParams(needed[path]))] : []), ...pairs].join("&")),
      },
      { weight: 4, arbitrary: forgedOf(known) },
      { weight: 2, arbitrary: mutatedOf(known) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(hostileValue, fc.integer({ min: 400, max: 600 }))
          .map(([value, times]) => `area=${encodeURIComponent(Array.from(value).slice(0, 5).join(""))}&`.repeat(times)),
      },
    );
    const statuses = new Map<number, number>();
    const ask = async ([search, headers]: [string, Record<string, string>]) => {
      const url = `${pathOf(path)}?${search}`;
      const { statusCode: status, headers: answered, rawPayload } = await service.server.inject({ url, headers });
      const payload = (answered["content-encoding"] === "gzip" ? gunzipSync(rawPayload) : rawPayload).toString();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      try {
        check({ url, status, type: String(answered["content-type"]), payload });
      } catch (cause) {
        throw new Error(`the answer to ${JSON.stringify([url.slice(0, 1_000), headers])}`, { cause });
      }
    };
    const property = fc.asyncProperty(
      fc.array(fc.tuple(search, headers), { minLength: inBatch, maxLength: inBatch }),
      async (batch) => void (await Promise.all(batch.map(ask))),
    );
    const queries = kind === "postgres" ? inputs : inputs / 10;
    await fc.assert(property, { numRuns: Math.ceil(queries / inBatch), seed, endOnFailure: true, reporter });
    process.stdout.write(`${kind} ${path}: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    for (const status of [200, 400]) expect(statuses.get(status), String(status)).toBeGreaterThan(queries / 100);
    expect(marked).toEqual([]);
  });
});

/** An answer is a page, a stream, nothing new, or a refusal that names a parameter. */
function check({ url, status, type, payload }: { url: string; status: number; type: string; payload: string }): void {
  if (status === 304) {
    expect(payload).toBe("");
    return;
  }
  if (status === 400) {
    const body = JSON.parse(payload);
    const paths: string[] = (body.details ?? []).map(({ path }: { path: string }) => path);
    expectRefusal({ status, headers: {}, body }, { paths });
    expect(paths.length).toBeGreaterThan(0);
    expect(payload.length).toBeLessThan(100_000);
    return;
  }
  expect(status, payload).toBe(200);
  if (type.startsWith("application/json")) {
    const { items, total, next } = JSON.parse(payload);
    expect(items.length).toBeLessThanOrEqual(Number(new URL(url, "http://a").searchParams.get("limit") ?? 100));
    expect(total).toBeGreaterThanOrEqual(0);
    if (next !== null) expect(items.length).toBeGreaterThan(0);
  } else if (type.startsWith("application/x-ndjson")) {
    for (const line of payload.split("\n").filter((line) => line !== "")) JSON.parse(line);
  } else {
    expect(type).toBe("text/csv; charset=utf-8");
    expect(payload).toMatch(/\r\n$/);
  }
}
