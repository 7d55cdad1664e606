import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import { hostileNames } from "../../../services/scoring/test/support/hostile-names.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { column, describeInBrowser, openBoard, settled, startBoard, useBoard, violations } from "./support/browser.ts";
import { useFolder } from "./support/commands.ts";
import { fillShop, inDays, register, report, waive } from "./support/shop.ts";

const checkout = "?env=prod&area=shop&team=checkout";

async function move({ server }: TestService, from: object, to: object): Promise<void> {
  const { statusCode, payload } = await server.inject({ method: "POST", url: "/apps/move", payload: { from, to } });
  expect(statusCode, payload).toBe(200);
}

describeInBrowser("what people decide", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test("the level of an application stands on its page, with what the next one lacks", async () => {
    const { payload } = await service.server.inject("/apps?env=prod&app=cart&detail=true");
    const [{ level }] = JSON.parse(payload).items;
    const page = await openBoard(service, `${checkout}&app=cart`);
    await page.getByText(`next: ${level.next.unmet}`).waitFor();
    expect(await page.locator(".facts div", { hasText: "level" }).locator("dd").textContent()).toContain(
      level.name ?? "–",
    );
  });

  test.each([
    ["?view=applications&env=prod", "?env=prod"],
    [checkout, checkout],
  ])("the applications of %s can be left to those of a level", async (query, filter) => {
    const { payload } = await service.server.inject(`/apps${filter}&level=none&limit=1000`);
    const { items, total } = JSON.parse(payload);
    const page = await openBoard(service, query);
    await page.getByRole("columnheader", { name: "Level" }).waitFor();
    await page.getByRole("link", { name: `no level ${total}` }).click();
    await page.locator('.chip[aria-current="true"]', { hasText: "no level" }).waitFor();
    await settled(page);
    expect((await column(page, 0)).toSorted()).toEqual(items.map(({ app }: { app: string }) => app).toSorted());
    expect(new URL(page.url()).searchParams.get("level")).toBe("none");
    expect(await violations(page)).toEqual([]);
  });

  test("areas and teams show how many of their applications have which level", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    expect(await readFile(await (await download).path(), "utf8")).toMatch(
      /^area,.*,fresh,[\s\S]*\d (?:bronze|without a level)/,
    );
  });

  test("a number that a waiver moved says so, with the way to who waived what", async () => {
    const page = await openBoard(service, "?env=prod&area=payments");
    const marked = page.getByRole("row", { name: /books/ }).locator(".heat.partly");
    await marked.first().waitFor();
    expect(await marked.first().getAttribute("title")).toMatch(/\d\s% waived(, thin: .*)?$/);
    await page.getByRole("link", { name: "waived", exact: true }).click();
    await page.getByRole("heading", { name: "Waivers" }).waitFor();
    await page.getByText("staging is rebuilt").waitFor();
    expect(new URL(page.url()).searchParams.get("area")).toBe("payments");
  });

  test("a waived cell of a team is none that is missing, and says why", async () => {
    const page = await openBoard(service, "?env=prod&area=payments&team=books");
    const cell = page.locator('.heat.waived[title*="by grace: staging is rebuilt"]');
    await cell.waitFor();
    expect(await cell.count()).toBe(1);
  });

  test("of two waivers of a metric, the team and the application name the one that lasts longer", async () => {
    const own = await useBoard();
    await report(own, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
    const dast = { area: "shop", scorecard: "security", metric: "dast" };
    await waive(own, { ...dast, team: "checkout", reason: "for a week", expires_at: inDays(7) });
    await waive(own, { ...dast, reason: "for a month", expires_at: inDays(30) });
    const page = await openBoard(own, checkout);
    await page.locator('.heat.waived[title*="for a month"]').waitFor();
    await page.getByRole("link", { name: "cart" }).click();
    await page.getByText(/^waived until .*: for a month$/).waitFor();
  });

  test("a waiver leads to what it covers, what ends first comes first, and what ends soon is marked", async () => {
    const page = await openBoard(service, "?view=waivers&env=prod");
    await settled(page);
    expect((await column(page, 0)).map((text) => text.split("\n")[0])).toEqual(["ledger", "payments"]);
    expect(await page.locator(".soon").allInnerTexts()).toEqual(["in 9 d"]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toMatch(
      /^waiver,what,reason,owner,given,ends,env,day\r\npayments \/ books \/ ledger,Vulnerabilities found against a running instance \(security\.dast\),staging is rebuilt,grace,anybody,20.*,prod,20[\d-]{8}\r/,
    );
    await page.keyboard.press("f");
    await page.keyboard.type("rebuilt");
    await page.getByText("1 of 2 waivers").waitFor();
    await page.getByRole("link", { name: /running instance/ }).click();
    await page.getByRole("heading", { name: /running instance/ }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "ledger" }).click();
    await page.getByText("waived until").first().waitFor();
  });

  test("the waivers are reached and read with the keyboard alone", async () => {
    const page = await openBoard(service, "?view=waivers&env=prod");
    await settled(page);
    while ((await page.locator("tbody :focus").count()) === 0) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "payments" }).waitFor();
  });

  test("an application that never reported stands with its team and in the search, with the command that reports", async () => {
    const own = await useBoard();
    await report(own, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
    await register(own, [{ app: "gift-cards" }]);
    const page = await openBoard(own, "?env=prod");
    await page.getByRole("link", { name: "never reported" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("gift");
    await page.getByRole("option", { name: "gift-cards" }).click();
    await page.getByRole("heading", { name: "Not reporting" }).waitFor();
    await page.getByRole("link", { name: "checkout" }).click();
    await page.getByRole("link", { name: "gift-cards" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.locator("pre").textContent()).toContain("--app=gift-cards --env=prod");
  });

  test("a team of which nothing has reported shows what is registered", async () => {
    const own = await useBoard();
    await report(own, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
    await register(own, [{ team: "returns", app: "parcels" }]);
    const page = await openBoard(own, "?env=prod&area=shop&team=returns");
    await page.getByRole("link", { name: "parcels" }).waitFor();
    await page.goto(`${own.server.info.uri}/board/?env=prod&area=nowhere`);
    await page.getByText("No application has reported in prod: area nowhere.").waitFor();
  });

  test.each(["it's", `"; rm -rf $HOME #`, "$(id)", "`id`", ...hostileNames.slice(0, 12)])(
    "the command for the application %j reports just it",
    async (name) => {
      const own = await useBoard();
      await report(own, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
      await register(own, [{ app: name }]);
      const page = await openBoard(own, `${checkout}&app=${encodeURIComponent(name)}`);
      await page.getByRole("heading", { name: "Not reporting" }).waitFor();
      const folder = await useFolder();
      await folder.writeReport();
      await folder.run((await page.locator("pre").textContent()) ?? "");
      const { payload } = await own.server.inject("/scores?metric=image_scan");
      expect(JSON.parse(payload).items).toMatchObject([{ app: name, metric: "image_scan" }]);
    },
  );

  test("an application that reports elsewhere leads there", async () => {
    const page = await openBoard(service, "?env=staging&area=shop&team=checkout&app=vouchers");
    await page.getByText("It reports in prod").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "prod" }).click();
    await page.getByRole("table").getByText("30 high findings").waitFor();
  });
});

describeInBrowser("a former name", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
    const cart = { area: "shop", team: "checkout", app: "cart" };
    await move(service, cart, { ...cart, app: "basket" });
    await move(service, { area: "payments", team: "books" }, { area: "payments", team: '<b>"ledger' });
    const retirement = { area: "shop", team: "search", app: "finder", reason: "replaced by <i>the new one" };
    const { statusCode, payload } = await service.server.inject({
      ...{ method: "POST", url: "/apps/retire", payload: retirement },
    });
    expect(statusCode, payload).toBe(200);
  });
  afterAll(() => service.stop());

  test("of an application leads to the new one, and is said there and nowhere else", async () => {
    const page = await openBoard(service, `${checkout}&app=cart`);
    await page.getByRole("heading", { name: "basket" }).waitFor();
    await page.getByText("formerly shop / checkout / cart").waitFor();
    expect(new URL(page.url()).searchParams.get("app")).toBe("basket");
    await page.getByText("6 high findings").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "checkout" }).click();
    await page.getByTitle("basket", { exact: true }).waitFor();
    expect(await page.getByText("formerly").count()).toBe(0);
    await page.goBack();
    await page.getByRole("heading", { name: "basket" }).waitFor();
  });

  test("of a team leads to the new one, for the team and for its applications", async () => {
    const page = await openBoard(service, "?env=prod&area=payments&team=books");
    await page.getByText("formerly payments / books").waitFor();
    expect(await page.locator("h1").textContent()).toBe('<b>"ledger');
    await page.goto(`${service.server.info.uri}/board/?env=prod&area=payments&team=books&app=ledger`);
    await page.getByText("formerly payments / books / ledger").waitFor();
    await page.getByText("3 high findings").first().waitFor();
  });

  test("fits a telephone, however long it is", async () => {
    const long = "long".repeat(40);
    await report(service, [{ app: long, scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
    const named = { area: "shop", team: "checkout", app: long };
    await move(service, named, { ...named, app: "short" });
    const page = await openBoard(service, `${checkout}&app=${long}`, { viewport: { width: 360, height: 740 } });
    await page.getByText(`formerly shop / checkout / ${long}`).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test("is found by the search, which leads to where it is now", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    await page.keyboard.press("/");
    await page.keyboard.type("cart");
    const found = page.getByRole("option", { name: /^basket.*formerly shop \/ checkout \/ cart$/ });
    await found.waitFor();
    expect(await violations(page)).toEqual([]);
    await found.click();
    await page.getByRole("heading", { name: "basket" }).waitFor();
    await page.getByText("6 high findings").first().waitFor();
  });

  test("that is no name of anything is said to be none, and what is retired to be retired", async () => {
    const page = await openBoard(service, `${checkout}&app=nobody`);
    await page.getByText("This application has reported nothing in prod").waitFor();
    await page.goto(`${service.server.info.uri}/board/?env=prod&area=shop&team=search&app=finder`);
    await page.getByText("replaced by <i>the new one").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describeInBrowser("to a caller within bounds", () => {
  test("waivers, levels and silent applications are those of his area", async () => {
    const service = await useBoard({ auth: "token" });
    const make = async (grant: Pick<Parameters<typeof insertToken>[1], "scopes" | "bounds">) => {
      const token = createToken();
      await insertToken(service.database.knex, { name: "Ann", hash: hashToken(token), ...grant });
      return token;
    };
    const send = async (method: "POST" | "PUT", url: string, payload: object) => {
      const headers = { authorization: `Bearer ${await make({ scopes: ["admin"], bounds: {} })}` };
      const answer = await service.server.inject({ method, url, payload, headers });
      expect(answer.statusCode, answer.payload).toBeLessThan(300);
    };
    for (const area of ["shop", "payments"]) {
      const app = { area, team: "checkout", app: "cart" };
      const score = { scorecard: "security", metric: "secret_scan", raw: { found: false } };
      await send("POST", "/score", { ...app, env: "prod", ...score });
      await send("PUT", "/registry", { ...app, app: `silent of ${area}` });
      const waiver = { kind: "accepted", expires_at: inDays(40), owner: "ada", reason: `known in ${area}` };
      await send("POST", "/waivers", { area, ...waiver, scorecard: "security", metric: "dast" });
    }
    const page = await openBoard(service, "?view=waivers&env=prod");
    await page.getByLabel("Your token").fill(await make({ scopes: ["read"], bounds: { area: "shop" } }));
    await page.keyboard.press("Enter");
    await page.getByText("known in shop").waitFor();
    expect(await page.getByText("known in payments").count()).toBe(0);
    await page.getByRole("link", { name: "Applications", exact: true }).click();
    await page.getByRole("link", { name: "never reported anything: 1" }).click();
    await page.getByRole("link", { name: "silent of shop" }).waitFor();
    expect(await page.getByText("silent of payments").count()).toBe(0);
    await page.goto(`${service.server.info.uri}/board/?view=waivers&env=prod&area=payments`);
    await page.getByText("Ann is bound to area shop").waitFor();
  });
});
