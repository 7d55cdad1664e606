import { expect, test } from "vitest";
import { newScore } from "../../../services/scoring/test/support/new-score.ts";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import { column, describeInBrowser, openBoard, settled, useBoard, violations } from "./support/browser.ts";
import { report } from "./support/shop.ts";

describeInBrowser("a score of former rules", () => {
  test("says who computed it and what today's rules give, and is in a list of its metric", async () => {
    const service = await useBoard();
    const scan = { scorecard: "security", metric: "image_scan", raw: { critical: 0, high: 6, medium: 12 } };
    const scorer = "@maturity/security@0.0.9";
    const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
    await saveScores(service.database.knex, [newScore({ ...cart, ...scan, score: 61, scorer })]);
    await report(service, [{ ...scan, app: "vouchers" }]);
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout&app=cart");
    const row = page.getByRole("row", { name: /image_scan/ });
    await row.getByText("today's rules give 35.4").waitFor();
    await row.getByText(`computed by ${scorer}`).waitFor();
    expect(await violations(page)).toEqual([]);
    await row.getByRole("link", { name: "Vulnerabilities in the container image" }).click();
    await page.getByRole("link", { name: "by former rules: 1" }).click();
    await page.getByRole("status").getByText("1 application", { exact: true }).waitFor();
    expect(await column(page, 0)).toEqual(["cart"]);
    expect(new URL(page.url()).searchParams.get("former")).toBe("1");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "by former rules: 1" }).click();
    await page.getByRole("link", { name: "vouchers" }).waitFor();
  });

  test("has no list where there is none", async () => {
    const service = await useBoard();
    await report(service, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
    const page = await openBoard(service, "?view=metric&env=prod&metric=security.secret_scan");
    await settled(page);
    expect(await page.getByText(/former rules/).count()).toBe(0);
  });
});
