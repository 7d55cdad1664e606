import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, hold, openBoard, settled } from "./support/browser.ts";
import { longList, longListQuery, longListScore, startLongList } from "./support/long-list.ts";

describeInBrowser("a long list", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startLongList();
  });
  afterAll(() => service.stop());

  /** Counts the rows on paper into the title of the window, and prints as the browser does, but without its dialog. */
  const countPrinted = (page: Page) =>
    page.evaluate(() => {
      addEventListener("beforeprint", () => {
        document.title = String(document.querySelectorAll("tbody tr[aria-rowindex]").length);
      });
      globalThis.print = () => {
        dispatchEvent(new Event("beforeprint"));
        dispatchEvent(new Event("afterprint"));
      };
    });
  const printed = (page: Page, rows: number) => page.waitForFunction((title) => document.title === title, String(rows));

  test("is on paper row by row", async () => {
    const page = await openBoard(service, `${longListQuery}&all=1`);
    await page.getByRole("status").getByText("1,203 applications", { exact: true }).waitFor();
    await countPrinted(page);
    await page.pdf();
    expect(await page.title()).toBe(String(longList));
    expect(await page.locator("tbody tr").count()).toBeLessThan(100);
  });

  test.each<[string, (page: Page) => Promise<void>]>([
    ["the button Print", (page) => page.getByRole("button", { name: "Print" }).click()],
    ["Ctrl+P", (page) => page.keyboard.press("Control+p")],
  ])("is read to its end before %s prints it", async (_, print) => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    await countPrinted(page);
    await print(page);
    await printed(page, longList);
    await page.getByRole("status").getByText("1,203 applications", { exact: true }).waitFor();
  });

  test("is printed whole where it changes between its last row and the next paint", async () => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    await countPrinted(page);
    // Nothing that waits for a paint runs, as where the browser is slow to paint.
    await page.evaluate(() => {
      const wait = setTimeout;
      globalThis.requestAnimationFrame = () => 0;
      Object.assign(globalThis, { setTimeout: (run: () => void, ms = 0) => wait(run, ms < 100 ? 60_000 : ms) });
    });
    await page.getByRole("button", { name: "Print" }).click();
    const list = page.getByRole("status").getByText("1,203 applications", { exact: true });
    await expect.poll(() => list.count()).toBe(1);
    await saveScores(service.database.knex, [{ ...longListScore(0), score: 1 }]);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect.poll(() => page.title()).toBe(String(longList));
    expect(await list.count()).toBe(1);
  });

  test("that one has left while it is read to be printed is not printed", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await settled(page);
    await page.getByRole("link", { name: "Metrics", exact: true }).click();
    await page.getByRole("link", { name: "Vulnerabilities in the container image", exact: true }).click();
    await page.getByText("1,000 of 1,203").waitFor();
    await page.evaluate(() => {
      globalThis.print = () => {
        document.title = "printed";
      };
    });
    const release = await hold(page, /[?&]cursor=/);
    await page.getByRole("button", { name: "Print" }).click();
    await page.getByRole("link", { name: "Problems", exact: true }).click();
    await page.getByText("No problem is open").waitFor();
    release();
    await page.goBack();
    await page.getByRole("status").getByText("1,203 applications", { exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.title()).not.toBe("printed");
  });

  test("says on paper that it is not whole where the browser's menu printed it", async () => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    const note = page.getByText("Only 1,000 of 1,203 had been read when this was printed.");
    expect(await note.count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    expect(await note.isVisible()).toBe(true);
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    expect(await note.count()).toBe(0);
  });
});
