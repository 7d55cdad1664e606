import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { column, describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { campaignId, fillShop, runCampaign } from "./support/shop.ts";

const cart = "area=shop&team=checkout&app=cart";

/** Each screen, and what must stand on it. */
const screens = {
  organisation: {
    query: "?env=prod",
    texts: ["Organisation", "payments", "shop", "average of 2 areas", "security", "application"],
  },
  "an area": {
    query: "?env=prod&area=shop",
    texts: ["shop", "checkout", "search", "average of 2 teams", "Fix first", "image_scan in 3 applications"],
  },
  team: {
    query: "?env=prod&area=shop&team=checkout",
    texts: [
      ...["checkout", "cart", "vouchers", "Vulnerabilities in the container image", "average of 2 applications"],
      ...["Fix first", "image_scan in 2 applications", "lowest application"],
    ],
  },
  application: {
    query: `?env=prod&${cart}`,
    texts: [
      ...[
        "6 high findings leave 44 % of the score",
        "no health endpoint is exposed",
        "never reported",
        "70 d",
        "stale",
      ],
      ...[
        "run 4711",
        "git.example.com/cart",
        "@maturity/security@",
        "terraform_secret",
        "infra/main.tf:3",
        "AWS access key",
      ],
      ...["Fix first", "Vulnerabilities in the container image", "image_scan 35.4 → 100"],
      ...["What changed", "image_scan 70.7 → 35.4", "good for"],
    ],
  },
  applications: {
    query: "?view=applications&env=prod",
    texts: ["Applications", "cart", "checkout", "shop", "ledger", "finder", "Lacks", "below silver"],
  },
  teams: {
    query: "?view=teams&env=prod",
    texts: ["Teams", "checkout", "books", "search", "payments", "average of 3 teams", "application"],
  },
  metric: {
    query: "?view=metric&env=prod&metric=security.image_scan",
    texts: [
      ...["Vulnerabilities in the container image", "vouchers", "cart", "ledger", "finder", "never reported: 0"],
      "6 high findings leave 44 % of the score",
    ],
  },
  "a metric without its scorecard": {
    query: "?view=metric&env=prod&metric=image_scan",
    texts: ["Vulnerabilities in the container image", "vouchers"],
  },
  metrics: {
    query: "?view=metric&env=prod",
    texts: [
      "Metrics",
      "average of the areas",
      "most by Vulnerabilities in the container image",
      "Health endpoint exposed",
      "Teams by metric",
    ],
  },
  "teams by metric": {
    query: "?view=metric&env=prod&by=team",
    texts: ["checkout", "books", "search", "Vulnerabilities in the container image", "payments"],
  },
  "who never reported a metric": {
    query: "?view=metric&env=prod&metric=security.secret_scan&missing=1",
    texts: ["Hardcoded credentials", "never reported: 3", "vouchers", "ledger"],
  },
  levels: {
    query: "?view=levels&env=prod",
    texts: ["Levels", "below silver", "gold", "no level", "share fresh 75 %", "shop", "payments"],
  },
  "what is below a level": {
    query: "?view=levels&env=prod&reach=silver",
    texts: ["Below silver", "Those that lack least come first", "cart", "share fresh 75 %, has", "checkout"],
  },
  "two teams side by side": {
    query: "?view=compare&env=prod&area=shop&team=checkout&other=payments%2Fbooks",
    texts: ["Side by side", "checkout", "books", "Vulnerabilities in the container image", "Engineering", "Difference"],
  },
  "two applications side by side": {
    query: `?view=compare&env=prod&${cart}&other=shop%2Fcheckout%2Fvouchers`,
    texts: ["Side by side", "cart", "vouchers", "Health endpoint exposed", "Another application beside"],
  },
  "teams to choose from": {
    query: "?view=compare&env=prod",
    texts: ["The first team", "Teams of the organisation", "books", "checkout"],
  },
  "teams to stand beside another": {
    query: "?view=compare&env=prod&area=shop&team=checkout",
    texts: ["Another team beside", "Teams of shop", "search"],
  },
  "what never reported a scorecard, or anything": {
    query: "?view=applications&env=prod&never=reliability",
    texts: ["cart", "fresh", "gift-cards", "silent"],
  },
  "applications by what they lack": {
    query: "?view=applications&env=prod&never=reliability&state=fresh&sort=lacks&tier=1",
    texts: ["Applications", "tier 1", "Owner, tier, label"],
  },
  "stale results": {
    query: "?view=stale&env=prod",
    texts: ["Stale results", "unit_coverage", "cart", "stale", "70 d", "30 d", "checkout"],
  },
  changes: {
    query: "?view=changes&env=prod",
    texts: ["Changes", "cart", "Reports", "Rules", "fell by half a point or more", "Show them too"],
  },
  "changes by area": { query: "?view=changes&env=prod&by=area", texts: ["Changes", "shop", "Fell", "Rose"] },
  "what happened": {
    query: "?view=happened&env=prod",
    texts: ["What happened", "waived security.dast for", "revoked the waiver of", "anybody", "Moved or retired"],
  },
  "a team on a sheet of paper": {
    query: "?view=sheet&env=prod&area=shop&team=checkout",
    texts: ["checkout", "shop, prod", "Fix first", "Lowest applications", "Open problems", "terraform_secret", "Print"],
  },
  "what happened to waivers": {
    query: "?view=happened&env=prod&kind=waivers&area=payments",
    texts: ["waived security.dast for payments/books/ledger", "until"],
  },
  "waivers that end this month": {
    query: "?view=waivers&env=prod&ends=2099-01-01",
    texts: ["Waivers", "Given by", "anybody", "staging is rebuilt", "ending before 1 Jan 2099"],
  },
  waivers: {
    query: "?view=waivers&env=prod",
    texts: [
      "Waivers",
      "ledger",
      "payments / books",
      "dast",
      "staging is rebuilt",
      "grace",
      "in 9 d",
      "the whole area",
      "no end",
    ],
  },
  "waivers, with those that are over": {
    query: "?view=waivers&env=prod&ended=1",
    texts: ["a mistake", "revoked", "staging is rebuilt"],
  },
  "applications that never reported": {
    query: "?view=applications&env=prod&silent=1",
    texts: ["never reported anything: 1", "gift-cards", "Ann"],
  },
  "an application that never reported": {
    query: "?env=prod&area=shop&team=checkout&app=gift-cards",
    texts: ["Not reporting", "has never reported anything", "maturity submit report.json --area=shop", "Ann"],
  },
  campaigns: {
    query: "?view=campaigns&env=prod",
    texts: ["Campaigns", "Images without weaknesses", "security.image_scan from 80 on", "security office", "behind"],
  },
  "a campaign": {
    query: `?view=campaign&env=prod&campaign=${campaignId}`,
    texts: [
      ...["Images without weaknesses", "Two incidents began in an image.", "wiki.example.com/images", "all areas"],
      ...["of 4 members meet the goal", "met once, lost again", "joined since the start", "straight line to"],
      ...["vouchers", "cart", "ledger", "Vulnerabilities in the container image"],
    ],
  },
  "resolved problems": {
    query: "?view=problems&env=prod&by=resolved",
    texts: ["Resolved problems", "public_bucket", "cart", "high", "Was open"],
  },
  "how long problems are open": {
    query: "?view=problems&env=prod&by=time",
    texts: ["Time open", "shop", "critical", "high", "Median", "90th percentile"],
  },
  "problems by week": {
    query: "?view=problems&env=prod&by=week",
    texts: ["Problems by week", "Opened", "Open at its end", "13 weeks"],
  },
  problems: { query: "?view=problems&env=prod", texts: ["Open problems", "terraform_secret", "critical", "cart"] },
};

describeInBrowser("a screen", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
    await runCampaign(service);
  });
  afterAll(() => service.stop());

  test.each(Object.entries(screens))("%s says what is asked of it, to everybody", async (_, { query, texts }) => {
    const page = await openBoard(service, query, { colorScheme: "light" });
    await settled(page);
    const main = page.locator("main");
    for (const text of texts) await main.getByText(text).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: "active" });
    expect(await violations(page)).toEqual([]);
  });

  test.each(Object.entries(screens))("%s fits a telephone", async (_, { query }) => {
    const page = await openBoard(service, query, { viewport: { width: 360, height: 740 } });
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await violations(page)).toEqual([]);
  });

  test.each(Object.entries(screens))("%s fits a sheet of paper, with all its columns", async (_, { query }) => {
    const page = await openBoard(service, query, { viewport: { width: 1_280, height: 700 }, colorScheme: "dark" });
    await settled(page);
    const heads = () => page.getByRole("columnheader").count();
    const onScreen = await heads();
    await page.setViewportSize({ width: 1_032, height: 700 }); // A4 on its side
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await heads()).toBe(onScreen);
    await page.getByText(/^Maturity, prod, as of \d/).waitFor();
    const tooWide = await page
      .locator(".frame, .metrics, body")
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth + 1).map(({ className }) => className),
      );
    expect(tooWide).toEqual([]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--sheet"))).toBe(
      "#ffffff",
    );
    expect((await page.pdf()).length).toBeGreaterThan(5_000);
    // White letters on a colour that the printer leaves out would be nothing at all.
    const coloured = page.locator("span.heat, .tag, .chip[aria-current]");
    const inks = await coloured.evaluateAll((all) => all.map((one) => getComputedStyle(one).printColorAdjust));
    expect(inks.every((ink) => ink === "exact")).toBe(true);
  });

  test("what is below silver, and what is missing, is two clicks away, and is what the API has", async () => {
    const { payload } = await service.server.inject("/apps?env=prod&below_level=silver&lacks=true&sort=lacks");
    interface Nearest {
      readonly app: string;
      readonly lacks: { readonly conditions: readonly { readonly text: string }[] };
    }
    const nearest: Nearest[] = JSON.parse(payload).items;
    expect(nearest.length).toBeGreaterThan(1);
    const page = await openBoard(service, "?env=prod");
    await page.getByRole("link", { name: "Levels", exact: true }).click();
    await page.getByRole("link", { name: /^below silver/ }).click();
    await page.getByRole("heading", { name: "Below silver" }).waitFor();
    await page.getByRole("rowheader").first().waitFor();
    expect(await column(page, 0)).toEqual(nearest.map(({ app }) => app));
    const missing = nearest.map(({ lacks }) =>
      lacks.conditions.map(({ text }) => text.replace("needs ", "")).join("; "),
    );
    expect(await column(page, 2)).toEqual(missing);
  });

  test("two teams stand side by side after three clicks, with the averages of the API", async () => {
    const { payload } = await service.server.inject("/teams?env=prod&metrics=true");
    interface Average {
      readonly team: string;
      readonly metrics: readonly { readonly metric: string; readonly score: number | null }[];
    }
    const teams: Average[] = JSON.parse(payload).items;
    const scoreOf = (name: string) =>
      teams.find(({ team }) => team === name)?.metrics.find(({ metric }) => metric === "image_scan")?.score ?? 0;
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout");
    await page.getByRole("link", { name: "Compare with a team" }).click();
    await page.getByLabel("Another team beside checkout").fill("books");
    await page.getByRole("link", { name: "payments / books" }).click();
    const row = page.getByRole("row", { name: /Vulnerabilities in the container image/ });
    await row.waitFor();
    const [one, other, difference] = await row.getByRole("cell").allInnerTexts();
    const written = (score: number) => `${Number(score.toFixed(1))}`;
    expect([one, other].map((text) => `${Number(text)}`)).toEqual(
      ["checkout", "books"].map((name) => written(scoreOf(name))),
    );
    expect(difference?.replace("\u2212", "-")).toMatch(/^[-+]?\d+(\.\d)?$/);
  });

  test("what to fix first in cart is by what its score gains", async () => {
    const page = await openBoard(service, `?env=prod&${cart}`);
    const first = page.getByRole("region", { name: "Fix first" });
    await first.waitFor();
    const gains = (await first.locator(".by").allInnerTexts()).map(Number);
    expect(gains.length).toBeGreaterThan(1);
    expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    expect(await first.locator(".step").first().textContent()).toMatch(/^[a-z_0-9]+ [\d.]+ → [\d.]+ gains \+?[\d.]+$/);
  });

  test("what to fix first in a team and in an area is what the API has", async () => {
    const of = { "area=shop&team=checkout": "teams", "area=shop": "areas" };
    for (const [query, path] of Object.entries(of)) {
      const { payload } = await service.server.inject(`/${path}?env=prod&${query}&detail=true`);
      const [{ gains }] = JSON.parse(payload).items;
      expect(gains.metrics.length).toBeGreaterThan(1);
      const page = await openBoard(service, `?env=prod&${query}`);
      const first = page.getByRole("region", { name: "Fix first" });
      await first.waitFor();
      const shown = await first.locator("li > .by").allInnerTexts();
      const expected = gains.metrics.slice(0, 3).map(({ gain }: { gain: number }) => `+${gain.toFixed(1)}`);
      expect(shown).toEqual(expected);
      expect(await first.locator("li").first().locator(".step").textContent()).toBe(
        gains.metrics[0].apps
          .map(({ app, gain }: { app: string; gain: number }) => `${app} +${gain.toFixed(1)}`)
          .join(", "),
      );
    }
  });

  test("the members of a campaign that are left, and its days, are those of the API, also by keyboard and as a table", async () => {
    const read = async (list: string) =>
      JSON.parse((await service.server.inject(`/campaigns/${campaignId}/${list}`)).payload).items;
    const page = await openBoard(service, `?view=campaign&env=prod&campaign=${campaignId}`);
    await settled(page);
    const members = await read("members?met=false");
    expect(members.map(({ app }: { app: string }) => app)).toEqual(["vouchers", "cart", "ledger"]);
    expect((await column(page, 0)).map((text) => text.trim())).toEqual(members.map(({ app }: { app: string }) => app));
    const days = await read("days");
    const slider = page.getByRole("slider", { name: "Progress by the day: the day" });
    await slider.focus();
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/: 50\s%, .* on the line, 2 of 4 members$/);
    await page.keyboard.press("Home");
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/: 25\s%, 25\s% on the line, 1 of 4 members$/);
    expect(await slider.getAttribute("aria-valuemax")).toBe(String(days.length - 1));
    await page.getByRole("button", { name: "Table of Progress by the day" }).click();
    const table = page.getByRole("region", { name: "Table of Progress by the day" });
    expect(await table.getByRole("row").count()).toBe(days.length + 1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "By area" }).click();
    await page.getByRole("columnheader", { name: "Lost again" }).waitFor();
    await settled(page);
    expect(await column(page, 0)).toEqual(["payments", "shop"]);
    await page.getByRole("link", { name: "shop", exact: true }).click();
    await page.getByRole("link", { name: "cart" }).first().click();
    const waiting = page.getByRole("region", { name: "Campaigns that wait for it" });
    await waiting.getByText("met once, lost again").waitFor();
    await waiting.getByRole("link", { name: "Images without weaknesses" }).click();
    await page.getByText("Two incidents began in an image.").waitFor();
  });

  test("reason and owner of a waiver stand on a telephone too", async () => {
    const page = await openBoard(service, "?view=waivers&env=prod", { viewport: { width: 360, height: 740 } });
    await settled(page);
    for (const text of ["staging is rebuilt", "grace"]) {
      expect(await page.getByText(text).filter({ visible: true }).count()).toBeGreaterThan(0);
    }
  });

  test("the head of a narrow page leaves room for what is below it", async () => {
    const page = await openBoard(service, "?view=problems&env=prod", { viewport: { width: 360, height: 740 } });
    await settled(page);
    const { height } = (await page.locator("header").boundingBox()) ?? { height: Number.NaN };
    expect(height).toBeLessThan(130);
    const here = page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Problems" });
    const { x, width } = (await here.boundingBox()) ?? { x: Number.NaN, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
  });

  test("a team stands on one sheet of paper", async () => {
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout");
    await page.getByRole("link", { name: "Sheet for a meeting" }).click();
    await page.getByRole("heading", { name: "Lowest applications" }).waitFor();
    await settled(page);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox\s*\[0 0 59\d[\d.]* 84\d/); // upright
  });

  test("the days of all, an area, a team and an application are those of the API, for as long as is asked", async () => {
    for (const of of ["sort=at", "area=shop&sort=at", "area=shop&team=checkout&sort=at", `${cart}&sort=at`]) {
      const page = await openBoard(service, `?env=prod&${of.replace("sort=at", "sort=score")}`);
      const slider = page.getByRole("slider", { name: "Score by the day: the day" });
      await slider.waitFor();
      await page.getByRole("link", { name: "365 days" }).click();
      await settled(page);
      const since = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
      const { payload } = await service.server.inject(`/history?env=prod&${of}&since=${since}&limit=1000`);
      const { items } = JSON.parse(payload);
      await page.getByRole("button", { name: "Table of Score by the day" }).click();
      const rows = page.getByRole("region", { name: "Table of Score by the day" }).getByRole("row");
      const shown = (await rows.locator("td:nth-child(2)").allInnerTexts()).filter((text) => text !== "–");
      const scores = items.map(({ score }: { score: number }) => String(Math.round(score * 10) / 10));
      expect(shown).toEqual(scores.toReversed());
      expect(await violations(page)).toEqual([]);
    }
  });

  test("which team is worst takes one click, and what is stale another", async () => {
    const page = await openBoard(service);
    await page.getByRole("link", { name: "Teams", exact: true }).click();
    await page.getByRole("heading", { name: "Teams" }).waitFor();
    await settled(page);
    expect((await column(page, 0))[0]).toBe("checkout");
    await page.getByRole("link", { name: "Stale", exact: true }).click();
    await page.getByRole("heading", { name: "Stale results" }).waitFor();
    await settled(page);
    expect(await column(page, 0)).toEqual(["cart"]);
    await page.getByRole("link", { name: "late", exact: true }).click();
    await page.getByText("No result is older than its metric allows in prod: state late.").waitFor();
  });

  test("why cart has its score takes two clicks from the organisation, and the way back is the browser's", async () => {
    const page = await openBoard(service);
    await page.getByRole("link", { name: "Applications", exact: true }).click();
    await page.getByRole("link", { name: "cart" }).click();
    await page.getByRole("table").getByText("6 high findings").waitFor();
    expect(new URL(page.url()).search).toBe(`?env=prod&${cart}`);
    expect(await page.title()).toBe("cart · checkout · shop · prod · Maturity");
    await page.goBack();
    await page.getByRole("link", { name: "vouchers" }).waitFor();
  });

  test("the application has the figures of the API, those that are missing with a dash", async () => {
    const { payload } = await service.server.inject(`/apps?env=prod&${cart}&detail=true`);
    const [app] = JSON.parse(payload).items;
    const page = await openBoard(service, `?env=prod&${cart}`);
    await settled(page);
    expect(await page.locator(".facts dd").first().textContent()).toBe(String(Math.round(app.score * 10) / 10));
    const shown = await page.locator(".metrics tr:not(.group) td.heat > span").allInnerTexts();
    const expected = app.metrics.map(({ score }: { score?: number }) => score);
    expect(shown.map((text) => Number.parseFloat(text))).toEqual(
      expected.map((score: number | undefined) => (score === undefined ? Number.NaN : Math.round(score * 10) / 10)),
    );
  });
});
