import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, hold, openBoard, settled, startBoard, useBoard, violations } from "./support/browser.ts";
import { fillShop, report } from "./support/shop.ts";

describeInBrowser("with the keyboard alone", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test("one gets from the organisation to why cart has its score", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () => page.locator(":focus").textContent();
    await page.keyboard.press("f");
    // Into the grid, past the buttons of the list and the heads, which order it.
    for (let tabs = 0; (await page.locator("tbody :focus").count()) === 0; tabs++) {
      expect(tabs).toBeLessThan(30);
      await press("Tab");
    }
    await press("Control+Home", "ArrowDown", "ArrowRight", "Home");
    expect(await focused()).toBe("shop");
    await press("Enter");
    await page.getByRole("heading", { name: "shop" }).waitFor();
    expect(await focused()).toBe("shop");
    for (const name of ["checkout", "cart"]) {
      await page.locator("tbody").getByRole("link", { name, exact: true }).waitFor();
      while ((await page.locator("tbody :focus").count()) === 0) await press("Tab");
      await press("Control+Home");
      while ((await focused()) !== name) await press("ArrowDown");
      await press("Enter");
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.getByRole("table").getByText("6 high findings").waitFor();
  });

  test("one goes through all cells of a row, and stays in one where the window becomes narrow", async () => {
    const page = await openBoard(service, "?view=applications&env=prod&sort=name");
    await settled(page);
    const focused = page.locator("tbody :focus");
    const place = () => focused.evaluate((one) => one.closest<HTMLTableCellElement>("td, th")?.cellIndex);
    const tabStop = page.locator('tbody [tabindex="0"]');
    const columns = await page.getByRole("columnheader").count();
    await page.locator("tbody a").first().focus();
    await page.keyboard.press("End");
    expect(await place()).toBe(columns - 1);
    await page.setViewportSize({ width: 360, height: 900 });
    await page.locator(".frame.broad").waitFor();
    expect(await tabStop.count()).toBe(1);

    await tabStop.focus();
    await page.keyboard.press("Home");
    expect(await focused.textContent()).toBe("cart");
    for (let step = 1; step < columns; step++) await page.keyboard.press("ArrowRight");
    expect(await place()).toBe(columns - 1);
    await page.keyboard.press("ArrowRight");
    expect(await place()).toBe(columns - 1);
    for (let step = 1; step < columns; step++) await page.keyboard.press("ArrowLeft");
    expect(await focused.textContent()).toBe("cart");
  });

  test("/ finds an application by a part of its name, and Enter goes there", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    await page.keyboard.press("/");
    await page.keyboard.type("car");
    await page.getByRole("option", { name: "cart" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("table").getByText("6 high findings").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("nobody is called so");
    await page.getByText("Nothing is called “nobody is called so”").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("combobox", { name: /Find/ }).inputValue()).toBe("");
  });

  test("the keys that are single characters can be switched off, for good", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    const search = page.getByRole("combobox", { name: /Find/ });
    const isFocused = () => search.evaluate((one) => one === document.activeElement);
    await page.keyboard.press("?");
    await page.getByRole("checkbox", { name: "Switch off" }).check();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    for (const round of ["now", "after a reload"]) {
      for (const key of ["/", "f", "?"]) await page.keyboard.press(key);
      expect(await isFocused(), round).toBe(false);
      expect(await page.getByRole("dialog").isVisible(), round).toBe(false);
      await page.reload();
      await settled(page);
    }
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("checkbox", { name: "Switch off" }).uncheck();
    await page.keyboard.press("Escape");
    await page.locator("h1").focus();
    // The page listens to keys again after its next paint.
    const pressed = () => page.keyboard.press("/").then(isFocused);
    await expect.poll(pressed).toBe(true);
  });

  test("Enter in the search waits for the answer to what is typed", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    await page.keyboard.press("/");
    await page.keyboard.type("c");
    await page.getByRole("option").first().getByText("checkout").waitFor();
    const release = await hold(page, /search\?q=cart/);
    const asked = page.waitForRequest(/search\?q=cart/);
    await page.keyboard.type("art");
    await page.keyboard.press("Enter");
    await asked;
    expect(new URL(page.url()).search).toBe("?env=prod");
    release();
    await page.getByRole("heading", { name: "cart" }).waitFor();
  });

  test("the search that one leaves opens no list, and goes on when one comes back", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    const release = await hold(page, /search\?q=cart/);
    const asked = page.waitForRequest(/search\?q=cart/);
    await page.keyboard.press("/");
    await page.keyboard.type("cart");
    await asked;
    const given = page.waitForEvent("requestfailed");
    await page.keyboard.press("Tab");
    expect((await given).url()).toContain("search?q=cart");
    release();
    expect(await page.locator(".popup").isVisible()).toBe(false);
    await page.keyboard.press("/");
    await page.getByRole("option", { name: "cart" }).waitFor();
  });

  test("who chooses an environment or a metric stays at that choice", async () => {
    const own = await useBoard();
    const score = { app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } };
    await report(
      own,
      ["dev", "perf", "prod", "qa", "test"].map((env) => ({ ...score, env })),
    );
    const page = await openBoard(own, "?view=metric&env=dev&metric=security.secret_scan");
    await settled(page);
    for (const name of ["Environment", "Metric"]) {
      const choice = page.getByRole("combobox", { name, exact: true });
      await choice.focus();
      for (let chosen = 0; chosen < 2; chosen++) {
        const title = await page.title();
        await page.keyboard.press("ArrowDown");
        await page.waitForFunction((title) => document.title !== title, title);
        expect(await page.locator(":focus").getAttribute("aria-label")).toBe(name);
      }
    }
  });

  test("? lists the keys and Esc closes the list", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
  });
});
