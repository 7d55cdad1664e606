import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, useBoard, violations } from "./support/browser.ts";
import { campaignId, fillShop, inDays, report, runCampaign } from "./support/shop.ts";

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
    texts: ["Stale results", "Unit test coverage", "cart", "stale", "70 d", "30 d", "checkout"],
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
      "Vulnerabilities found against a running instance",
      "staging is rebuilt",
      "grace",
      "in 9 d",
      "the whole area",
      /^Reliability$/,
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
  "applications that never reported a scorecard": {
    query: "?view=applications&env=prod&never=security",
    texts: [/^never reported Security ×/, "gift-cards"],
  },
  "an application that never reported": {
    query: "?env=prod&area=shop&team=checkout&app=gift-cards",
    texts: ["Not reporting", "has never reported anything", "maturity submit report.json --area=shop", "Ann"],
  },
  campaigns: {
    query: "?view=campaigns&env=prod",
    texts: [
      "Campaigns",
      "Images without weaknesses",
      "Vulnerabilities in the container image from 80 on",
      "security office",
      "behind",
    ],
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

  test("an application whose result arrived late fits a telephone", async () => {
    const late = await useBoard();
    const raw = { critical: 0, high: 0, medium: 0 };
    await report(late, [{ app: "cart", scorecard: "security", metric: "image_scan", raw, measured_at: inDays(-2) }]);
    const page = await openBoard(late, `?env=prod&${cart}`, { viewport: { width: 360, height: 740 } });
    await page.getByText("measured 2 d ago, arrived just now").waitFor();
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
    const elsewhere = page.getByRole("link", { name: /^(Compare with|Two teams|Sheet for)/ });
    expect(await elsewhere.filter({ visible: true }).count()).toBe(0);
    // White letters on a colour that the printer leaves out would be nothing at all.
    const coloured = page.locator("span.heat, .tag, .chip[aria-current]");
    const inks = await coloured.evaluateAll((all) => all.map((one) => getComputedStyle(one).printColorAdjust));
    expect(inks.every((ink) => ink === "exact")).toBe(true);
  });

  test.each([
    [
      "reason and owner of a waiver, and who gave it,",
      "?view=waivers&env=prod",
      ["staging is rebuilt", "grace", "by anybody"],
    ],
    [
      "why a metric scores so",
      "?view=metric&env=prod&metric=security.image_scan",
      ["6 high findings leave 44 % of the score"],
    ],
  ])("%s stand on a telephone too", async (_, query, texts) => {
    const page = await openBoard(service, query, { viewport: { width: 360, height: 740 } });
    await settled(page);
    for (const text of texts) {
      expect(await page.getByText(text).filter({ visible: true }).count(), text).toBeGreaterThan(0);
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
});
