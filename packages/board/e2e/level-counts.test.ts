import { expect, test } from "vitest";
import { describeInBrowser, openBoard, settled, useBoard } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

describeInBrowser("the levels to choose from among applications", () => {
  test.each([
    ["", "no level4"],
    ["&level=none", "no level4"],
    ["&state=stale", "no level"],
    ["&never=reliability", "no level"],
  ])("have counts only where nothing else narrows the list: %s", async (filter, text) => {
    const service = await useBoard();
    await fillShop(service);
    const page = await openBoard(service, `?view=applications&env=prod${filter}`);
    await settled(page);
    expect(await page.getByRole("link", { name: /^no level/ }).textContent()).toBe(text);
    const below = page.getByRole("link", { name: /^below gold/ });
    expect(await below.locator(".of").count()).toBe(text === "no level" ? 0 : 1);
  });
});
