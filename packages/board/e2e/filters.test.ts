import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

describeInBrowser("filters", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test.each([
    ["view=problems&env=prod&by=resolved", "team=nobody"],
    ["view=changes&env=prod&by=team", "since=yesterday&area=shop"],
  ])("are cleared on ?%s, which stays", async (screen, filters) => {
    const page = await openBoard(service, `?${screen}&${filters}`);
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await settled(page);
    const names = (query: string) => Object.fromEntries(new URLSearchParams(query));
    expect(names(new URL(page.url()).search)).toEqual(names(screen));
    expect(await page.getByRole("link", { name: "Clear the filters" }).count()).toBe(0);
  });

  test("stay in the link from the time that problems are open to those problems", async () => {
    const narrowed = "team=checkout&type=terraform_secret";
    const page = await openBoard(service, `?view=problems&env=prod&by=time&${narrowed}`);
    await page.getByRole("main").getByRole("link", { name: "shop", exact: true }).click();
    await page.getByRole("link", { name: "cart" }).waitFor();
    expect(new URL(page.url()).search).toBe(
      "?view=problems&env=prod&area=shop&team=checkout&severity=critical&type=terraform_secret",
    );
  });
});
