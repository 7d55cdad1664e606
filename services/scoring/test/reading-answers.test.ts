import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds, Scope } from "../src/model/grant.ts";
import { recordAudit } from "../src/store/audit.ts";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, startService, type TestService, useService } from "./support/service.ts";
import { storeProblem } from "./support/store.ts";
import { waive } from "./support/waivers.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const { knex } = service.database;
  await saveScores(knex, [
    newScore({ app: "a" }),
    newScore({ app: "a", scorecard: "reliability", metric: "sla", score: 90 }),
    newScore({ app: "b", score: 70 }),
    newScore({ app: '=1+"1"', team: "x,y" }),
  ]);
  await storeProblem(knex, problem);
  await recordAudit(knex, { actor: "test", action: "app.retire", target: { area: "shop" }, details: {} });
  await waive(service, { area: "shop", scorecard: "reliability" });
  await waive(service, { area: "shop", team: "x,y", problem_type: "secret" });
});
afterAll(() => service.stop());

const lists = [
  ...["/areas", "/teams", "/apps", "/scores", "/problems", "/changes", "/waivers", "/scorecards", "/audit"],
  ...["/metric-averages", "/problem-times", "/problem-weeks", "/change-totals"],
];

describe.each(lists)("%s", (path) => {
  test("has an ETag, and is not sent again to who has it", async () => {
    const first = await service.server.inject(path);
    expect(first.headers).toMatchObject({
      // What an admin sees of the audit is for that caller alone.
      "cache-control": path === "/audit" ? "no-store" : "private, no-cache",
      vary: expect.stringContaining("accept"),
    });
    const etag = String(first.headers.etag);
    const second = await service.server.inject({ url: path, headers: { "if-none-match": etag } });
    expect([second.statusCode, second.payload]).toEqual([304, ""]);
    const other = await service.server.inject({ url: `${path}?limit=1`, headers: { "if-none-match": '"other"' } });
    expect(other.statusCode).toBe(200);
  });

  test.each(["bytes=0-1", "bytes=999999999-"])("is sent whole to who asks for %s", async (range) => {
    const { statusCode, headers, payload } = await service.server.inject({ url: path, headers: { range } });
    expect(statusCode).toBe(200);
    expect(headers).not.toHaveProperty("accept-ranges");
    expect(JSON.parse(payload).items.length).toBeGreaterThan(0);
  });

  test("streams the same items as NDJSON and CSV", async () => {
    const { items } = await readPage(service, path);
    const ndjson = await service.server.inject({ url: path, headers: { accept: "application/x-ndjson" } });
    expect(ndjson.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    expect(
      ndjson.payload
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(items);
    const csv = await service.server.inject({ url: `${path}?limit=1`, headers: { accept: "text/csv" } });
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.payload.trimEnd().split("\r\n")).toHaveLength(items.length + 1);
  });

  test("refuses a query that it does not understand, and says what would be right", async () => {
    const wrong: Readonly<Record<string, string>> = {
      "limit=0": "limit must be greater than or equal to 1",
      "limit=1001": "limit must be less than or equal to 1000",
      "limit=ten": "limit must be a number",
      "limit=1&limit=2": "limit must be given once",
      "cursor=a&cursor=b": "cursor must be given once",
      "nothing=1&nothing=2": "nothing is not a parameter of this path",
      "colour=red": "colour is not a parameter of this path",
      "cursor=x": "cursor is not a cursor of this query",
      "cursor=": "cursor must not be empty",
      ...(path !== "/scorecards" &&
        path !== "/audit" && {
          "sort=colour": "sort must be one of",
          "sort=name&sort=name": "sort must be given once",
        }),
      ...(path === "/apps" && { "detail=true&detail=true": "detail must be given once" }),
      ...(path !== "/scorecards" && {
        "area=": "area must not be empty",
        "area=%00": "area",
        "area[]=a": "area[] is not a parameter of this path",
      }),
      ...(path === "/scores" && {
        "scorecard=%00": "without NUL",
        "metric=sast&metric=%00": "metric[1]",
        "scorer=%00": "without NUL",
      }),
    };
    for (const [query, message] of Object.entries(wrong)) {
      const { statusCode, payload } = await service.server.inject(`${path}?${query}`);
      expect({ query, statusCode, ...JSON.parse(payload) }).toMatchObject({
        ...{ query, statusCode: 400, code: "invalid-payload", message: expect.stringContaining(message) },
        details: [{ path: expect.stringContaining(query.split("=")[0] ?? ""), message: expect.any(String) }],
      });
    }
  });

  test("takes no cursor of another list, query, version or maker", async () => {
    const cursors = await Promise.all(
      ["/scores?limit=1", "/scores?limit=1&sort=score", "/apps?limit=1"].map((url) => readPage(service, url)),
    );
    const forged = ['["",""]', "[]", "null", "1", '["x","[1,2,[0]]"]', "{"].map((text) =>
      Buffer.from(text).toString("base64url"),
    );
    for (const cursor of [...cursors.map(({ next }) => String(next)), ...forged]) {
      const { statusCode, payload } = await service.server.inject(
        `${path}?env=other&cursor=${cursor}`.replace(path === "/scorecards" ? "env=other&" : "", ""),
      );
      expect([statusCode, JSON.parse(payload).details]).toEqual([
        400,
        [{ path: "cursor", message: expect.stringContaining("take `next`") }],
      ]);
    }
  });
});

test.each(["limit", "below"])("%s is a number in digits alone", async (parameter) => {
  for (const value of ["1e1", "0x10", " 10", "10 ", "+5", "1_0", "\u0661", "Infinity", ".5", "1."]) {
    const { statusCode, payload } = await service.server.inject(`/scores?${parameter}=${encodeURIComponent(value)}`);
    expect([value, statusCode, JSON.parse(payload).details?.[0]?.path]).toEqual([value, 400, parameter]);
  }
  expect((await service.server.inject("/scores?limit=1.0")).statusCode).toBe(400);
  expect((await service.server.inject("/scores?limit=010&below=50.5")).statusCode).toBe(200);
});

test("a CSV holds one value a column, quoted where it must be, and no formula", async () => {
  const { payload } = await service.server.inject({ url: "/scores?team=x,y", headers: { accept: "text/csv" } });
  expect(payload).toMatch(
    /^area,team,app,env,scorecard,metric,score,state,exempt_because,measured_at,reported_at,scorer,pipeline_id,project_repo,waived,day\r\narea,"x,y","'=1\+""1""",prod,security,sast,1,fresh,,20[^,]*Z,20[^,]*Z,test@1.0.0,,,false,20\d\d-\d\d-\d\d\r\n$/,
  );
});

test.each(["/areas", "/teams", "/apps"])("a CSV of %s has columns for each scorecard", async (path) => {
  interface Item {
    readonly scorecards: readonly { readonly scorecard: string; readonly score: number }[];
    readonly unscored_scorecards: readonly { readonly scorecard: string }[];
  }
  const { items } = await readPage<Item>(service, path);
  const csv = await service.server.inject({ url: path, headers: { accept: "text/csv" } });
  const [head = [], ...lines] = csv.payload.trimEnd().split("\r\n").map(cellsOf);
  const column = (line: readonly string[], name: string) => line[head.indexOf(name)];
  expect(items.some(({ scorecards }) => scorecards.length > 1)).toBe(true);
  for (const [index, { scorecards, unscored_scorecards }] of items.entries()) {
    const all = [...scorecards, ...unscored_scorecards];
    for (const { name } of shippedEngine.scorecards) {
      const { scorecard: _, ...own } = all.find(({ scorecard }) => scorecard === name) ?? { scorecard: name };
      for (const field of ["score", "reported", "fresh", "waived"]) {
        const value = Object.entries(own).find(([key]) => key === field)?.[1] ?? "";
        const expected = Number.isInteger(value) || value === "" ? String(value) : Number(value).toFixed(2);
        expect(column(lines[index] ?? [], `${name}_${field}`)).toBe(expected);
      }
    }
  }
});

/** The cells of a line by RFC 4180, as they are in the file: with their quotes, and without a line break. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = ""]) => cell);
}

test("a stream of scores comes in the order that costs least", async () => {
  const headers = { accept: "text/csv" };
  const { statusCode, payload } = await service.server.inject({ url: "/scores?sort=score", headers });
  expect([statusCode, JSON.parse(payload).message]).toEqual([
    400,
    "sort must be key or absent where the answer is CSV or NDJSON",
  ]);
  expect((await service.server.inject({ url: "/scores?sort=key", headers })).statusCode).toBe(200);
});

test("a page with details is short", async () => {
  const { payload } = await service.server.inject("/apps?detail=true&limit=51");
  expect(JSON.parse(payload).message).toBe("limit must be at most 50 with these parameters");
});

describe("with tokens", () => {
  async function useTokens() {
    const service = await useService({ auth: "token" });
    const { knex } = service.database;
    await saveScores(knex, [
      newScore({ area: "ours", team: "one" }),
      newScore({ area: "ours", team: "two" }),
      newScore({ area: "theirs" }),
    ]);
    await storeProblem(knex, { ...problem, area: "theirs" });
    const tokenOf = async (scopes: readonly Scope[], bounds: Bounds = {}) => {
      const token = createToken();
      await insertToken(knex, { name: "reader", hash: hashToken(token), scopes: [...scopes], bounds });
      return { authorization: `Bearer ${token}` };
    };
    return { service, tokenOf };
  }

  test("each list needs the scope read", async () => {
    const { service, tokenOf } = await useTokens();
    const writer = await tokenOf(["score:write", "problem:write", "metrics:read"]);
    for (const url of lists) {
      expect((await service.server.inject(url)).statusCode).toBe(401);
      expect((await service.server.inject({ url, headers: writer })).statusCode).toBe(403);
      const reader = await tokenOf(["read"]);
      expect((await service.server.inject({ url, headers: reader })).statusCode).toBe(200);
    }
  });

  test("a bound narrows each answer, and is named to who asks beyond it", async () => {
    const { service, tokenOf } = await useTokens();
    const headers = await tokenOf(["read"], { area: "ours", team: "one" });
    for (const url of ["/areas", "/teams", "/apps", "/scores"]) {
      const { items, total } = await readPage<{ area: string }>(service, url, {}, headers);
      expect([url, total, items.map(({ area }) => area)]).toEqual([url, 1, ["ours"]]);
      const { statusCode, payload } = await service.server.inject({ url: `${url}?area=theirs`, headers });
      expect([statusCode, JSON.parse(payload).message]).toEqual([403, 'you are bound to the area "ours"']);
    }
    expect((await readPage(service, "/problems", {}, headers)).total).toBe(0);
    expect((await readPage<{ count: number }>(service, "/areas", {}, headers)).items[0]?.count).toBe(1);
  });

  test("a cursor of another caller's list is none of this one", async () => {
    const { service, tokenOf } = await useTokens();
    const { next } = await readPage(service, "/scores", { limit: 1 }, await tokenOf(["read"]));
    const { statusCode } = await service.server.inject({
      url: `/scores?limit=1&cursor=${next}`,
      headers: await tokenOf(["read"], { area: "ours" }),
    });
    expect(statusCode).toBe(400);
  });

  test("/whoami answers every caller", async () => {
    const { service, tokenOf } = await useTokens();
    const headers = await tokenOf(["score:write"], { area: "ours" });
    const { payload } = await service.server.inject({ url: "/whoami", headers });
    expect(JSON.parse(payload)).toEqual({
      ...{ name: "reader", scopes: ["score:write"] },
      grants: [{ scopes: ["score:write"], bounds: { area: "ours" } }],
    });
    expect((await service.server.inject("/whoami")).statusCode).toBe(401);
  });
});
