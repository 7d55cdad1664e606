import { expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, useBoard, violations } from "./support/browser.ts";
import { register, report, waive } from "./support/shop.ts";

/** A Board with a library, to which the scan of images does not apply. */
async function useLibrary(): Promise<TestService> {
  const service = await useBoard({
    applies: [{ scorecard: "security", metric: "image_scan", unless: { labels: { kind: ["library"] } } }],
  });
  await register(service, [{ app: "cart", labels: { kind: "library" } }]);
  const result = { app: "cart", scorecard: "security" };
  await report(service, [
    { ...result, metric: "image_scan", raw: { critical: 1, high: 0, medium: 0 } },
    { ...result, metric: "secret_scan", raw: { found: false } },
  ]);
  return service;
}

describeInBrowser("a metric that does not apply", () => {
  test("says by which rule on the page of its application, and counts in the head of the organisation", async () => {
    const service = await useLibrary();
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout&app=cart");
    const row = page.getByRole("row", { name: /image_scan/ });
    await row.getByRole("paragraph").getByText("not for kind=library, by policy").waitFor();
    expect(await violations(page)).toEqual([]);
    const organisation = await openBoard(service, "?env=prod");
    await organisation.getByText("exempt by policy").waitFor();
  });

  test("is exempt for its team too, where a waiver covers it as well", async () => {
    const service = await useLibrary();
    await waive(service, { area: "shop", team: "checkout", app: "cart", scorecard: "security", metric: "image_scan" });
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout");
    const row = page.getByRole("row", { name: /cart/ });
    await row.getByText("not for kind=library, by policy").waitFor();
    expect(await row.getByText(/waived/).count()).toBe(0);
  });

  test("is said to be exempt, and is nowhere counted, where it is all that was reported", async () => {
    const service = await useBoard({
      applies: [{ scorecard: "reliability", metric: "mttr", unless: { labels: { kind: ["batch"] } } }],
    });
    await register(service, [{ app: "job", labels: { kind: "batch" } }]);
    const result = { scorecard: "reliability", metric: "mttr", raw: { minutes: 30 } };
    await report(service, [
      { app: "job", ...result },
      { app: "cart", ...result },
    ]);
    const job = "?env=prod&area=shop&team=checkout&app=job";
    const page = await openBoard(service, job);
    await page.getByText("All that it reported is exempt by policy, so it has no score").waitFor();
    await page
      .getByRole("row", { name: /^Reliability/ })
      .getByText("all that it reported is exempt by policy")
      .waitFor();
    expect(await page.locator(".facts dt").allTextContents()).toContain("exempt by policy");
    expect(await page.getByRole("main").getByText("waived").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    for (const query of ["?view=applications&env=prod", "?env=prod&area=shop&team=checkout"]) {
      await page.goto(`${service.server.info.uri}/board/${query}`);
      await page.getByRole("row", { name: /job/ }).locator("td", { hasText: "exempt" }).first().waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await page.goto(`${service.server.info.uri}/board/?view=metric&env=prod&metric=reliability.mttr`);
    await settled(page);
    const counts = async () =>
      (await page.locator(".spread b").allTextContents()).reduce((sum, text) => sum + Number(text), 0);
    await expect.poll(counts).toBe(1);
    expect(await page.getByRole("row", { name: /job/ }).locator(".tag").textContent()).toBe("exempt");
    expect(await violations(page)).toEqual([]);
    await page.goto(`${page.url()}&below=99.5`);
    await expect.poll(counts).toBe(1);
  });
});
