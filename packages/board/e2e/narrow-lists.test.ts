import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { column, describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

const options = { viewport: { width: 360, height: 740 } };

describeInBrowser("a list with little room", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test.each(["problems", "stale"])("names the team of each application: %s", async (view) => {
    const page = await openBoard(service, `?view=${view}&env=prod`, options);
    await settled(page);
    const names = (await column(page, 0)).filter((name) => name.startsWith("cart"));
    expect(new Set(names.map((name) => name.split(/\s+/).join(" ")))).toEqual(new Set(["cart checkout"]));
    expect(await violations(page)).toEqual([]);
  });

  test("has the levels in words", async () => {
    const page = await openBoard(service, "?view=levels&env=prod", options);
    await settled(page);
    await page.getByRole("row", { name: "shop" }).getByText("3 without a level").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("opens a row wherever its name has room", async () => {
    const page = await openBoard(service, "?view=teams&env=prod", options);
    const name = page.getByRole("rowheader", { name: "checkout" });
    const { width = 0, height = 0 } = (await name.boundingBox()) ?? {};
    await name.click({ position: { x: width - 3, y: height - 3 } });
    await page.getByRole("heading", { name: "checkout" }).waitFor();
  });

  const headsOf = (page: Page) => page.getByRole("columnheader").allTextContents();
  const rightsOf = (page: Page) =>
    page
      .getByRole("columnheader")
      .evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().right)));

  test.each([
    ["applications", 768, 0, 12],
    ["applications", 360, 3, 12],
    ["teams", 360, 4, 11],
    ["problems&by=time", 360, 4, 9],
    ["changes&by=area", 360, 4, 6],
    ["waivers&ended=1", 360, 3, 7],
    ["happened", 360, 2, 3],
  ])("has all columns of %s at %i pixels, and moves sideways under its names", async (view, width, near, all) => {
    const open = async (size: number) => {
      const page = await openBoard(service, `?view=${view}&env=prod`, { viewport: { width: size, height: 1_000 } });
      await settled(page);
      return page;
    };
    const page = await open(width);
    expect(await headsOf(page)).toHaveLength(all);
    expect((await headsOf(page)).toSorted()).toEqual((await headsOf(await open(1_280))).toSorted());
    const name = page.getByRole("rowheader").first();
    const before = await name.boundingBox();
    const room = await page.locator(".frame").evaluate((frame) => frame.getBoundingClientRect().right);
    // Those that matter most are in sight, and no other has a part there.
    if (near > 0) expect((await rightsOf(page)).filter((right) => right <= room)).toHaveLength(near);
    const moved = await page.locator(".frame").evaluate((frame) => {
      frame.scrollLeft = 10_000;
      return frame.scrollLeft;
    });
    expect(moved).toBeGreaterThan(0);
    expect(await name.boundingBox()).toEqual(before);
    // Nor does another head stand over theirs.
    const head = page.getByRole("columnheader").first();
    const isOnTop = (one: HTMLElement) => {
      const { left, top, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + 30, top + height / 2));
    };
    expect(await head.evaluate(isOnTop)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await violations(page)).toEqual([]);
  });

  test("reaches each column by its keys", async () => {
    const page = await openBoard(service, "?view=applications&env=prod", options);
    await settled(page);
    await page.getByRole("rowheader").first().locator("a").focus();
    await page.keyboard.press("End");
    const last = page.locator("tbody tr").first().locator("td").last();
    await expect.poll(() => last.evaluate((cell) => cell.contains(document.activeElement))).toBe(true);
    const box = await last.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 360)).toBeLessThanOrEqual(360);
    const name = await page.getByRole("rowheader").first().boundingBox();
    for (let step = await page.getByRole("columnheader").count(); step > 2; step--) {
      await page.keyboard.press("ArrowLeft");
      const cell = page.locator("tbody td", { has: page.locator(":focus") }).or(page.locator("tbody td:focus"));
      const left = (await cell.boundingBox())?.x;
      expect(left).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 360) - 1);
    }
  });
});
