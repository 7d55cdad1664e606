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

  test("has all its columns at 768 pixels, and moves sideways under its names", async () => {
    const headsAt = async (width: number) => {
      const page = await openBoard(service, "?view=applications&env=prod", { viewport: { width, height: 1_000 } });
      await settled(page);
      return { page, heads: await page.getByRole("columnheader").allTextContents() };
    };
    const { page, heads } = await headsAt(768);
    expect(heads).toEqual((await headsAt(1_280)).heads);
    expect(heads.length).toBeGreaterThan(8);
    const name = page.getByRole("rowheader").first();
    const before = await name.boundingBox();
    const moved = await page.locator(".frame").evaluate((frame) => {
      frame.scrollLeft = 10_000;
      return frame.scrollLeft;
    });
    expect(moved).toBeGreaterThan(0);
    expect(await name.boundingBox()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
    expect(await violations(page)).toEqual([]);
  });
});
