import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

describeInBrowser("a sheet", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test("of a team stands on one side of paper", async () => {
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout");
    await page.getByRole("link", { name: "Sheet for a meeting" }).click();
    await page.getByRole("heading", { name: "Lowest applications" }).waitFor();
    await settled(page);
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox\s*\[0 0 59\d[\d.]* 84\d/); // upright
  });

  test("is of the organisation where its address names a team without its area", async () => {
    const page = await openBoard(service, "?view=sheet&env=prod&team=checkout");
    await page.getByRole("heading", { level: 1, name: "Organisation" }).waitFor();
    await page.getByText("average of 2 areas").waitFor();
  });
});
