import { afterAll, beforeAll, expect, test } from "vitest";
import { ageScores } from "../../../services/scoring/test/support/days.ts";
import { report as reportProblem } from "../../../services/scoring/test/support/problem-report.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { report, waive } from "./support/shop.ts";

const result = { scorecard: "security", metric: "secret_scan" };

describeInBrowser("a result that is waived", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    for (const app of ["cart", "vouchers"]) await report(service, [{ ...result, app, raw: { found: true } }]);
    await report(service, [{ ...result, app: "pay", raw: { found: false } }]);
    await ageScores(service.database.knex, 70);
    for (const app of ["cart", "pay"]) await reportProblem(service, { app });
    const cart = { area: "shop", team: "checkout", app: "cart" };
    await waive(service, { ...cart, ...result });
    await waive(service, { ...cart, problem_type: "terraform_secret" });
  });
  afterAll(() => service.stop());

  test.each([`?view=metric&metric=security.secret_scan&env=prod`, "?view=stale&env=prod"])(
    "has no colour in %s, and says so",
    async (query) => {
      const page = await openBoard(service, query);
      await settled(page);
      const row = page.getByRole("row", { name: /cart/ });
      expect(await row.locator("span.heat").getAttribute("class")).toContain("waived");
      expect(await row.locator(".tag").textContent()).toBe("waived");
      const other = page.getByRole("row", { name: /vouchers/ });
      expect(await other.locator("span.heat").getAttribute("class")).toContain("stale");
      expect(await other.locator(".tag").count()).toBe(0);
      expect(await violations(page)).toEqual([]);
    },
  );

  test("is not in the spread, whoever counts it", async () => {
    const page = await openBoard(service, "?view=metric&metric=security.secret_scan&env=prod");
    const counts = () => page.locator(".spread b").allTextContents();
    await expect.poll(counts).toEqual(["1", "0", "0", "0", "1"]);
    await page.goto(`${page.url()}&below=20`);
    await expect.poll(counts).toEqual(["1", "0", "0", "0", "1"]);
  });

  test("is all that its scorecard has in an application, which says so", async () => {
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout&app=cart");
    await settled(page);
    await page
      .getByRole("row", { name: /^Security/ })
      .getByText("all that it reported is waived")
      .waitFor();
    await page
      .getByRole("row", { name: /^Reliability/ })
      .getByText("nothing reported")
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("is marked among the problems", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await settled(page);
    const tags = (name: RegExp) => page.getByRole("row", { name }).locator(".tag").allTextContents();
    expect([await tags(/cart/), await tags(/pay/)]).toEqual([["high", "waived"], ["high"]]);
    expect(await violations(page)).toEqual([]);
  });
});
