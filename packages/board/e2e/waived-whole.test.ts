import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { register, report, waive } from "./support/shop.ts";

describeInBrowser("an application whose results are all waived", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    const ledger = { area: "payments", team: "books", app: "ledger" };
    const result = { scorecard: "security", metric: "secret_scan", raw: { found: true } };
    await report(service, [
      { ...result, ...ledger },
      { ...result, app: "cart" },
    ]);
    await register(service, [ledger]);
    const search = { area: "shop", team: "search" };
    await report(service, [{ ...result, ...search, app: "finder", raw: { found: false } }]);
    await waive(service, { ...search, scorecard: "reliability" });
    await report(service, [
      { app: "cart", scorecard: "reliability", metric: "sla", raw: { availability_pct: 100 } },
      { app: "cart", scorecard: "application", metric: "health_check", raw: { enabled: true } },
    ]);
    await waive(service, { ...ledger, scorecard: "security", metric: "secret_scan" });
  });
  afterAll(() => service.stop());

  test("has no score, and its page says why", async () => {
    const page = await openBoard(service, "?env=prod&area=payments&team=books&app=ledger");
    await page.getByText("All that it reported is waived, so it has no score").waitFor();
    await page.getByText("waived by ada: nobody needs it").waitFor();
    expect(await page.locator(".facts dd").first().textContent()).toBe("waived");
    expect(await violations(page)).toEqual([]);
  });

  test.each(["?env=prod&area=payments&team=books", "?view=applications&env=prod"])(
    "stands in %s as waived, and not as one that never reported",
    async (query) => {
      const page = await openBoard(service, query);
      await settled(page);
      const row = page.getByRole("row", { name: /ledger/ });
      expect(await row.locator("td").first().textContent()).toBe("waived");
      expect(await violations(page)).toEqual([]);
    },
  );

  test.each(["?view=teams&env=prod", "?view=applications&env=prod"])(
    "has a scorecard that is waived whole said to be waived in %s, and one that never reported has a dash",
    async (query) => {
      const page = await openBoard(service, query);
      await settled(page);
      const cells = page.getByRole("row", { name: /search/ }).locator("td.heat");
      // The score of the whole, security, reliability and application.
      const whole = "100, 40\u00a0% waived, thin: a quarter of the weight reported, or less";
      await expect.poll(() => cells.allTextContents()).toEqual([whole, "100", "waived", "–missing"]);
      expect(await violations(page)).toEqual([]);
    },
  );

  test("leaves its area without a score, which says so and leads to who waived it", async () => {
    const page = await openBoard(service, "?env=prod&area=payments");
    await page.getByText("1 application has reported in prod, and nothing that counts").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "who waived it, and why" }).click();
    await page.getByText("nobody needs it").waitFor();
    await page.goto(`${service.server.info.uri}/board/?env=prod`);
    await page.getByRole("link", { name: "shop" }).waitFor();
    expect(await page.getByRole("link", { name: "payments" }).count()).toBe(0);
  });

  test("leaves the organisation without a score when nobody else has one, and its page says so", async () => {
    const alone = await startBoard();
    const ledger = { area: "payments", team: "books", app: "ledger" };
    const result = { scorecard: "security", metric: "secret_scan" };
    await report(alone, [{ ...result, ...ledger, raw: { found: true } }]);
    await waive(alone, { ...result, area: "payments" });
    const page = await openBoard(alone, "");
    await page.getByText("1 application has reported in prod, and nothing that counts").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Which applications" }).click();
    await page.getByRole("row", { name: /ledger/ }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "who waived it, and why" }).click();
    await page.getByText("nobody needs it").waitFor();
    await alone.stop();
  });
});
