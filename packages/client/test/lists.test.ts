import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileNames } from "../../../services/scoring/test/support/hostile-names.ts";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { type Client, createClient } from "../src/index.ts";
import { imageScan, target } from "./support/reports.ts";

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  await service.server.start();
  client = createClient({ url: service.server.info.uri });
});
afterAll(() => service.stop());

describe("lists", () => {
  const names = Array.from({ length: 1_203 }, (_, index) => `app ${String(index).padStart(4, "0")}`);
  beforeAll(async () => {
    await client.submitAll(names.map((app) => ({ ...imageScan, area: "lists", app })));
    await client.submit({
      ...target,
      area: "lists",
      scorecard: "security",
      metric: "secret_scan",
      raw: { found: true },
    });
  });

  test("every item of all pages, in the order asked for", async () => {
    const apps: string[] = [];
    for await (const { app } of client.apps({ area: "lists", sort: "name" })) apps.push(app);
    expect(apps).toEqual([...names, "cart"]);
    const few = client.scores({ area: "lists", sort: "name", limit: 500 });
    expect((await few.toArray()).map(({ app }) => app)).toEqual([...names, "cart"]);
  });

  test("page after page", async () => {
    const list = client.apps({ area: "lists", env: ["prod", "test"], sort: "name", limit: 1_000 });
    const first = await list.page();
    expect(first).toMatchObject({ total: 1_204, next: expect.any(String), as_of: expect.stringMatching(/Z$/) });
    const second = await list.page(first.next ?? "");
    expect([...first.items, ...second.items].map(({ app }) => app)).toEqual([...names, "cart"]);
    expect(second.next).toBeNull();
  });

  test("filters, and details", async () => {
    const [worst, ...others] = await client.apps({ area: "lists", below: 50, detail: true }).toArray();
    expect(others).toEqual([]);
    expect(worst).toMatchObject({ app: "cart", score: 0, scorecards: [{ scorecard: "security", score: 0 }] });
    expect(worst?.metrics?.find(({ metric }) => metric === "secret_scan")).toMatchObject({ raw: { found: true } });
    expect(await client.areas({ area: "lists" }).toArray()).toMatchObject([{ area: "lists", count: 1 }]);
    expect(await client.teams({ area: "lists" }).toArray()).toMatchObject([
      { team: "checkout", count: 1_204, lowest: 0 },
    ]);
  });

  test("all items as CSV", async () => {
    let csv = "";
    for await (const text of client.apps({ area: "lists", sort: "name" }).csv()) csv += text;
    const [header, ...lines] = csv.split("\r\n");
    expect(header).toMatch(/^area,team,app,env,score,/);
    expect(lines.map((line) => line.split(",")[2])).toEqual([...names, "cart", undefined]);
  });

  test("a reader that has enough asks for no further page", async () => {
    const asked: string[] = [];
    const fetch = async (request: Request) => {
      asked.push(new URL(request.url).search);
      return globalThis.fetch(request);
    };
    const counting = createClient({ url: service.server.info.uri, fetch });
    const list = counting.apps({ area: "lists", limit: 2, sort: "name" });
    expect(asked).toEqual([]);
    const seen: string[] = [];
    for await (const { app } of list) {
      seen.push(app);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(names.slice(0, 3));
    expect(asked).toEqual([
      "?area=lists&sort=name&limit=2",
      expect.stringMatching(/^\?area=lists&sort=name&limit=2&cursor=[\w-]+$/),
    ]);
  });

  test("the changes of a metric, those of applications, and days", async () => {
    const [first] = await client
      .history({ ...target, area: "lists", scorecard: "security", metric: "secret_scan" })
      .toArray();
    expect(first).toMatchObject({ score: 0, former: null, cause: "report" });
    expect(await client.history({ ...target, area: "lists" }).toArray()).toEqual([]);
    const [changed] = await client.changes({ area: "lists", app: "cart" }).toArray();
    expect(changed).toMatchObject({ app: "cart", score: 0, score_since: null });
  });

  test("scorecards, and who calls", async () => {
    const scorecards = await client.scorecards().toArray();
    expect(scorecards.map(({ scorecard }) => scorecard)).toEqual(["security", "reliability", "application"]);
    const metrics = scorecards.flatMap(({ metrics }) => metrics);
    const inputsOf = (name: string) => metrics.find(({ metric }) => metric === name)?.inputs;
    const finding = { unit: null, min: 0, max: 1_000_000_000, better: "lower" };
    expect(inputsOf("dast")).toEqual([
      { field: "high", label: "high", ...finding },
      { field: "medium", label: "medium", ...finding },
    ]);
    expect(inputsOf("sla")).toEqual([
      { field: "availability_pct", label: "the availability", unit: "%", min: 0, max: 100, better: "higher" },
    ]);
    expect(await client.whoAmI()).toMatchObject({ scopes: ["admin"], grants: [{ scopes: ["admin"], bounds: {} }] });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a cursor of another query", () => client.apps({ area: "lists" }).page("forged")],
    ["an order of another list", () => client.apps({ sort: "key" as "name" }).toArray()],
    [
      "a stream in an order that costs too much",
      () => client.scores({ sort: "score" }).csv()[Symbol.asyncIterator]().next(),
    ],
  ])("%s is refused", async (_, call) => {
    await expect(call()).rejects.toMatchObject({ code: "invalid-payload", status: 400, attempts: 1 });
  });
});

describe("reads", () => {
  test("a stored score comes back as it was sent", async () => {
    const { reasons, stored: _, ...rest } = await client.submit({ ...imageScan, app: "read" });
    expect(await client.scores({ app: "read" }).toArray()).toMatchObject([{ ...rest, state: "fresh" }]);
    const { raw } = imageScan;
    expect(await client.scores({ app: "read", detail: true }).toArray()).toMatchObject([{ ...rest, reasons, raw }]);
    const [read] = await client
      .scores({ app: ["read", "other"], area: "shop", team: "checkout", env: ["prod"] })
      .toArray();
    expect(read).toMatchObject(rest);
  });

  test("names that something on the way might break come back whole", async () => {
    await client.submitAll(hostileNames.map((app) => ({ ...imageScan, area: "hostile", team: app, app, env: app })));
    const read = await client.scores({ area: "hostile" }).toArray();
    expect(read.map(({ app }) => app).sort()).toEqual([...hostileNames].sort());
    for (const { team, app, env } of read) expect([team, env]).toEqual([app, app]);
    for (const app of hostileNames) expect(await client.scores({ area: "hostile", app }).toArray()).toHaveLength(1);
  });

  test("a wrong filter is refused", async () => {
    await expect(client.scores({ area: "" }).toArray()).rejects.toMatchObject({ code: "invalid-payload", status: 400 });
  });

  test("health and version", async () => {
    expect(await client.health()).toBe("ok");
    expect(await client.version()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
