import { afterAll, beforeAll, expect, test } from "vitest";
import { report as reportProblem } from "../../../services/scoring/test/support/problem-report.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, useBoard, violations } from "./support/browser.ts";
import { report, waive } from "./support/shop.ts";

const result = { scorecard: "security", metric: "secret_scan" };
const problem = { severity: "critical", problem_type: "leaked_key" };

describeInBrowser("an application with open problems and without a score", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    for (const app of ["cart", "waived"]) await report(service, [{ ...result, app, raw: { found: false } }]);
    await waive(service, { ...result, area: "shop", team: "checkout", app: "waived" });
    for (const app of ["waived", "refunds"]) await reportProblem(service, { ...problem, app });
  });
  afterAll(() => service.stop());

  test("counts in the organisation, whose figure leads to it, and its page shows the problem", async () => {
    const page = await openBoard(service, "?env=prod");
    const figure = page.locator(".facts > div", { hasText: "open critical problems" });
    await expect.poll(() => figure.locator("dd").textContent()).toBe("2");
    await figure.getByRole("link").click();
    await page.getByRole("row", { name: /waived/ }).waitFor();
    await page.getByRole("link", { name: "refunds" }).click();
    await page.getByText("It has reported only problems, so it has no score").waitFor();
    await page.getByRole("heading", { name: "Open problems" }).waitFor();
    await page.getByText("leaked_key").waitFor();
    expect(await page.locator(".facts dd").first().textContent()).toBe("–none");
    expect(await violations(page)).toEqual([]);
  });

  test("has a dash for a score in the lists, and is not taken for one of which all is waived", async () => {
    const page = await openBoard(service, "?view=applications&env=prod");
    await settled(page);
    const score = (name: RegExp) => page.getByRole("row", { name }).locator("td").first().textContent();
    expect([await score(/waived/), await score(/refunds/)]).toEqual(["waived", "–missing"]);
    expect(await violations(page)).toEqual([]);
  });

  test("is shown where nobody has a score", async () => {
    const alone = await useBoard();
    await reportProblem(alone, { ...problem, env: "test" });
    const page = await openBoard(alone, "");
    await page.getByText("1 application has reported in test, and nothing that counts").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "which problems are open" }).click();
    await page.getByRole("row", { name: /cart/ }).getByText("leaked_key").waitFor();
  });
});
