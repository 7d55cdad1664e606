import type { Lists } from "@maturity/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPage } from "../../../services/scoring/test/support/reading.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, useBoard } from "./support/browser.ts";
import { fillShop, report } from "./support/shop.ts";

describeInBrowser("a sheet", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test.each([
    ["the organisation", "?env=prod"],
    ["an area", "?env=prod&area=shop"],
    ["a team", "?env=prod&area=shop&team=checkout"],
  ])("of %s says what to fix first, on one side of paper", async (_, address) => {
    const page = await openBoard(service, address);
    await page.getByRole("link", { name: "Sheet for a meeting" }).click();
    await page.getByRole("heading", { name: "Lowest applications" }).waitFor();
    await settled(page);
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    const gains = await page.getByRole("region", { name: "Fix first" }).getByRole("listitem").allInnerTexts();
    expect(gains.length).toBeGreaterThan(0);
    for (const gain of gains) expect(gain).toMatch(/^\+\d+(\.\d)?\n/);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox\s*\[0 0 59\d[\d.]* 84\d/); // upright
  });

  test("fits its page whatever the area of its team is called", async () => {
    const area = "area".repeat(25);
    const long = await useBoard();
    await report(long, [
      { area, team: "long", app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } },
    ]);
    const sheet = `?view=sheet&env=prod&area=${area}&team=long`;
    const page = await openBoard(long, sheet, { viewport: { width: 360, height: 740 } });
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test("is of the organisation where its address names a team without its area", async () => {
    const page = await openBoard(service, "?view=sheet&env=prod&team=checkout");
    await page.getByRole("heading", { level: 1, name: "Organisation" }).waitFor();
    await page.getByText("average of 2 areas").waitFor();
    const { items } = await readPage<Lists["/metric-averages"]>(service, "/metric-averages", { env: "prod" });
    const [first] = items.toSorted((a, b) => b.gain - a.gain);
    const gains = page.getByRole("region", { name: "Fix first" }).getByRole("listitem");
    expect(await gains.first().textContent()).toContain(`+${first?.gain.toFixed(1)}`);
    expect(await gains.first().getByRole("link").getAttribute("href")).toContain(
      `${first?.scorecard}.${first?.metric}`,
    );
  });
});
