import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import type { Bounds, Scope } from "../src/model/grant.ts";
import { hostileNames } from "./support/hostile-names.ts";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, startService, type TestService } from "./support/service.ts";

interface Found {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
  readonly formerly: object | null;
}

describe.each(engines)("GET /search on %s", (kind) => {
  let service: TestService;
  const reader: { headers: Record<string, string> } = { headers: {} };
  const headersOf = async (bounds: Bounds = {}, scope: Scope = "read") => {
    const token = createToken();
    const stored = { name: "reader", hash: hashToken(token), scopes: [scope], bounds };
    await insertToken(service.database.knex, stored);
    return { authorization: `Bearer ${token}` };
  };
  const move = async (from: object, to: object) => {
    const headers = await headersOf({}, "admin");
    const answer = await service.server.inject({ method: "POST", url: "/apps/move", payload: { from, to }, headers });
    expect(answer.statusCode, answer.payload).toBe(200);
  };
  const retire = async (name: object) => {
    const headers = await headersOf({}, "admin");
    const answer = await service.server.inject({
      method: "POST",
      url: "/apps/retire",
      payload: { ...name, reason: "gone" },
      headers,
    });
    expect(answer.statusCode, answer.payload).toBe(200);
  };
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind), auth: "token" });
    const score = (area: string, team: string, app: string, env = "prod") => newScore({ area, team, app, env });
    await saveScores(service.database.knex, [
      score("shop", "checkout", "cart"),
      score("shop", "checkout", "cart", "staging"),
      score("shop", "checkout", "cart-api"),
      score("shop", "checkout", "go-cart"),
      score("shop", "search", "descartes"),
      score("bank", "cart", "Ledger"),
      score("bank", "cart", "Straße"),
      ...hostileNames.map((name) => score("hostile", "hostile", name)),
    ]);
    reader.headers = await headersOf();
    const vouchers = { area: "shop", team: "pay", app: "vouchers" };
    await saveScores(service.database.knex, [newScore({ ...vouchers, env: "prod" })]);
    await move(vouchers, { ...vouchers, app: "gifts" });
    await move({ area: "shop", team: "pay" }, { area: "shop", team: "billing" });
  });
  afterAll(() => service.stop());

  const search = async (q: string, headers = reader.headers, query: Record<string, string> = {}) =>
    (await readPage<Found>(service, "/search", { q, ...query }, headers)).items.map(({ area, team, app }) =>
      [area, team, app].filter((name) => name !== null).join(" / "),
    );

  test.each([
    [
      "a whole name first, then beginnings, then the rest",
      "cart",
      [
        "bank / cart",
        "shop / checkout / cart",
        "shop / checkout / cart-api",
        "shop / checkout / go-cart",
        "shop / search / descartes",
      ],
    ],
    ["capitals make no difference", "LEDGER", ["bank / cart / Ledger"]],
    [
      "words of the names above",
      "shop cart",
      [
        "shop / checkout / cart",
        "shop / checkout / cart-api",
        "shop / checkout / go-cart",
        "shop / search / descartes",
      ],
    ],
    ["a part of a team", "sear", ["shop / search"]],
    ["an area before its teams", "shop", ["shop"]],
    ["what nothing is called", "nothing of it", []],
    ["other letters of one form", "\uff43\uff41\uff52\uff54-api", ["shop / checkout / cart-api"]],
    ["a pattern is text", ".*", []],
    [
      "percent is text",
      "%",
      hostileNames.filter((name) => name.includes("%")).map((name) => `hostile / hostile / ${name}`),
    ],
  ])("%s", async (_, q, expected) => {
    const found = await search(q);
    if (q === "%") expect(found.sort()).toEqual(expected.sort());
    else expect(found).toEqual(expected);
  });

  test("finds every name as it stands", async () => {
    for (const name of hostileNames) expect(await search(name)).toContain(`hostile / hostile / ${name}`);
  });

  test("finds only what is within the bounds of the token", async () => {
    expect(await search("cart", await headersOf({ area: "bank" }))).toEqual(["bank / cart"]);
    expect(await search("cart", await headersOf({ area: "shop", team: "checkout", app: "cart" }))).toEqual([
      "shop / checkout / cart",
    ]);
    expect(await search("cart", await headersOf({ area: "nowhere" }))).toEqual([]);
  });

  describe("what was renamed", () => {
    const found = async (q: string, headers = reader.headers) =>
      (await readPage<Found>(service, "/search", { q }, headers)).items;

    test("is found by its former name, as what it is called now", async () => {
      const app = { area: "shop", team: "billing", app: "gifts" };
      const formerly = { area: "shop", team: "pay", app: "vouchers" };
      expect(await found("VOUCH")).toEqual([{ ...app, formerly }]);
      expect(await found("pay")).toContainEqual({
        ...{ area: "shop", team: "billing", app: null },
        formerly: { area: "shop", team: "pay", app: null },
      });
      expect(await found("vouchers", await headersOf({ area: "bank" }))).toEqual([]);
    });

    test("is not found by its former name once it is retired", async () => {
      const app = { area: "shop", team: "lists", app: "basket" };
      await saveScores(service.database.knex, [newScore({ ...app, app: "trolley", env: "prod" })]);
      await move({ ...app, app: "trolley" }, app);
      await retire(app);
      expect(await found("basket")).toEqual([]);
      expect(await found("trolley")).toEqual([]);
    });

    test("is found once, by its present name where that fits", async () => {
      const app = { area: "shop", team: "billing", app: "gifts" };
      expect(await found("gifts")).toEqual([{ ...app, formerly: null }]);
    });
  });

  test("comes in pages that neither repeat nor miss", async () => {
    const all = await search("a", reader.headers, { limit: "1000" });
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { items: Found[]; next: string | null; total: number } = await readPage<Found>(
        service,
        "/search",
        { q: "a", limit: 3, ...(cursor && { cursor }) },
        reader.headers,
      );
      expect(page.total).toBe(all.length);
      paged.push(
        ...page.items.map(({ area, team, app }) => [area, team, app].filter((name) => name !== null).join(" / ")),
      );
      cursor = page.next;
    }
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(6);
  });

  test.each([
    ["", "q"],
    ["?q=", "q"],
    ["?q=%20%09", "q"],
    [`?q=${"x".repeat(201)}`, "q"],
    ["?q=a&q=b", "q"],
    ["?q=a&area=shop", "area"],
    ["?q=a&limit=0", "limit"],
  ])("/search%s is refused, naming %s", async (query, path) => {
    const { statusCode, payload } = await service.server.inject({ url: `/search${query}`, headers: reader.headers });
    expect([statusCode, JSON.parse(payload).details[0].path]).toEqual([400, path]);
  });
});
