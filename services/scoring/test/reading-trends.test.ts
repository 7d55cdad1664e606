import type { Knex } from "knex";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds } from "../src/model/grant.ts";
import type { TargetFilter } from "../src/model/target-filter.ts";
import { createTrendReader } from "../src/rollups/trends.ts";
import { ageScores, dueDay, missDays, rollUpsOf, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { readAll, readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, startService, type TestService, useService } from "./support/service.ts";

interface WithTrend {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env: string;
  readonly trend: readonly (number | null)[];
}

const rounded = (trend: readonly (number | null)[]) => trend.map((score) => score && Number(score.toFixed(9)));

describe.each(engines)("trends on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), auth: "token" });
    const { knex } = service.database;
    const apps = ["a", "b", "c"].flatMap((app, index) => [
      newScore({ area: "shop", team: "one", app, score: 20 + index * 30 }),
      newScore({ area: "shop", team: "two", app, score: 90 - index * 7 }),
      newScore({ area: "other", team: "one", app, score: 33 }),
    ]);
    await saveScores(knex, apps);
    await ageScores(knex, 10);
    await saveScores(knex, [newScore({ area: "shop", team: "one", app: "a", score: 100 })]);
    await missDays(knex, 20);
    await writeDays(service.database);
    await knex.raw("DELETE FROM roll_up_days WHERE day = ?::date", [await dueDay(knex, 3)]);
  });
  afterAll(() => service.stop());

  const headersOf = async (bounds: Bounds = {}) => {
    const token = createToken();
    const stored = { name: "reader", hash: hashToken(token), scopes: ["read"], bounds } as const;
    await insertToken(service.database.knex, stored);
    return { authorization: `Bearer ${token}` };
  };
  const read = async (path: string, query: Record<string, string> = {}, bounds: Bounds = {}) =>
    (await readPage<WithTrend>(service, path, { trend: "true", ...query }, await headersOf(bounds))).items;

  /** What is recorded of the last 30 days. */
  const recorded = async ({ area, team, app, env }: Omit<WithTrend, "trend">) => {
    const today = Number(new Date(await dueDay(service.database.knex, 0)));
    const days = Array.from({ length: 30 }, (_, index) => new Date(today - (29 - index) * 86_400_000));
    return Promise.all(
      days.map(async (day) => {
        const all = await rollUpsOf(service.database.knex, day.toISOString().slice(0, 10));
        const found = all.find(
          (one) =>
            one.area === area && (one.team ?? undefined) === team && (one.app ?? undefined) === app && one.env === env,
        );
        return found?.score ?? null;
      }),
    );
  };

  test.each(["/areas", "/teams", "/apps"])("of %s are the recorded scores of the last 30 days", async (path) => {
    const items = await read(path);
    expect(items.length).toBeGreaterThan(1);
    for (const { trend, ...item } of items) {
      expect(trend).toHaveLength(30);
      expect(rounded(trend)).toEqual(rounded(await recorded(item)));
      expect(trend.filter((score) => score !== null).length).toBeGreaterThan(5);
      expect(trend.at(-4)).toBeNull();
    }
  });

  test("are absent unless they are asked for", async () => {
    for (const path of ["/areas", "/teams", "/apps"]) {
      for (const query of [{}, { trend: "false" }]) {
        const { items } = await readPage<object>(service, path, query, await headersOf());
        expect(items.filter((item) => "trend" in item)).toEqual([]);
      }
    }
  });

  test("of a filter that names everything are those without one", async () => {
    const all = { team: ["one", "two"], app: ["a", "b", "c"] };
    const query = new URLSearchParams(
      Object.entries(all).flatMap(([name, values]) => values.map((one): [string, string] => [name, one])),
    );
    for (const path of ["/areas", "/teams"]) {
      const filtered = await read(`${path}?${query}`);
      const usual = await read(path);
      expect(filtered.map(({ trend }) => rounded(trend))).toEqual(usual.map(({ trend }) => rounded(trend)));
    }
  });

  test("average only the applications that a filter or the bounds of the token leave", async () => {
    const [app] = await read("/apps", { area: "shop", team: "two", app: "b" });
    for (const path of ["/teams", "/areas"]) {
      const filtered = await read(path, { area: "shop", team: "two", app: "b" });
      const bound = await read(path, {}, { area: "shop", team: "two", app: "b" });
      for (const items of [filtered, bound])
        expect(items.map(({ trend }) => rounded(trend))).toEqual([rounded(app?.trend ?? [])]);
    }
    const parts = [{ area: "shop", team: "two", app: "b" }, { area: "elsewhere" }].map((bounds) => ({
      scopes: ["read" as const],
      bounds,
    }));
    const grant = { name: "reader", caller: "reader", parts };
    for (const path of ["/teams", "/areas"]) {
      const auth = { strategy: "session", credentials: { grant, scope: ["read"] } };
      const { payload } = await service.server.inject({ url: `${path}?trend=true`, auth });
      const { items }: { items: readonly WithTrend[] } = JSON.parse(payload);
      expect(items.map(({ trend }) => rounded(trend))).toEqual([rounded(app?.trend ?? [])]);
    }
    const [team] = await read("/teams", { area: "shop", team: "one" });
    const [area] = await read("/areas", {}, { area: "shop", team: "one" });
    expect(rounded(area?.trend ?? [])).toEqual(rounded(team?.trend ?? []));
  });

  test("come in pages of a hundred at the most", async () => {
    const headers = await headersOf();
    for (const path of ["/areas", "/teams", "/apps"]) {
      const { statusCode, payload } = await service.server.inject({ url: `${path}?trend=true&limit=101`, headers });
      expect([statusCode, JSON.parse(payload).details]).toEqual([
        400,
        [{ path: "limit", message: "must be at most 100 with these parameters" }],
      ]);
    }
    const csv = await service.server.inject({ url: "/teams?trend=true", headers: { ...headers, accept: "text/csv" } });
    expect(csv.payload.split("\r\n")[0]).toMatch(/,trend,day$/);
    expect(csv.payload.split("\r\n")[1]).toMatch(/"\[(?:null,|[\d.]+,)+/);
  });
});

test("callers who ask for the same trends cost the database one reading", async () => {
  const { database } = await useService();
  let readings = 0;
  const raw = ((...statement: Parameters<Knex["raw"]>) => {
    readings++;
    return database.reads.raw(...statement);
  }) as Knex["raw"];
  const trends = createTrendReader({ ...database, reads: { raw } as Knex });
  const read = (areas: readonly string[], filter: TargetFilter, last = "2026-03-01") =>
    trends.read(
      areas.map((area) => ({ area, env: "prod" })),
      filter,
      last,
    );
  await Promise.all([read(["a", "b"], {}), read(["a", "b"], {})]);
  await read(["a", "b"], {});
  expect(readings).toBe(1);
  await read(["a"], {});
  await read(["a", "b"], { team: ["t"] });
  await read(["a", "b"], {}, "2026-03-02");
  expect(readings).toBe(4);
});

test("without any history a trend is there, and empty", async () => {
  const service = await startService();
  try {
    await saveScores(service.database.knex, [newScore({})]);
    for (const path of ["/areas", "/teams", "/apps"]) {
      const items = await readAll<WithTrend>(service, `${path}?trend=true`, 100);
      expect(items.map(({ trend }) => trend)).toEqual([new Array(30).fill(null)]);
    }
  } finally {
    await service.stop();
  }
});
