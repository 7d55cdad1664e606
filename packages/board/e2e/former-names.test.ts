import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

/** The views of areas and teams, each with what has nothing under a former name. */
const views = [
  ...["", "sheet", "applications", "applications&silent=1", "levels", "levels&reach=silver", "stale", "waivers"],
  ...["waivers&ended=1", "changes", "changes&by=team", "campaigns"],
  ...["metric", "metric&by=team", "metric&metric=security.image_scan", "metric&metric=security.image_scan&missing=1"],
  ...["problems", "problems&by=resolved", "problems&by=time", "problems&by=week", "problems&severity=low"],
  ...["compare&other=shop%2Fsearch"],
];

describeInBrowser("a view of a former name", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
    await move({ area: "shop", team: "checkout" }, { area: "shop", team: "counter" });
    await move({ area: "payments" }, { area: "money" });
  });
  afterAll(() => service.stop());

  const move = async (from: object, to: object) => {
    const { statusCode, payload } = await service.server.inject({
      ...{ method: "POST", url: "/apps/move", payload: { from, to } },
    });
    expect(statusCode, payload).toBe(200);
  };

  test.each(views)("leads to that of the new one: %s", async (view) => {
    const page = await openBoard(service, `?env=prod&area=shop&team=checkout&view=${view}`);
    await page.getByText("formerly shop / checkout").waitFor();
    await settled(page);
    const asked = new URLSearchParams(`env=prod&area=shop&team=counter&view=${view}`);
    const given = [...asked].filter(([, value]) => value !== "");
    // The address follows the page after a pause.
    await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(Object.fromEntries(given));
    expect(await violations(page)).toEqual([]);
  });

  test("leads on when both sides of a comparison were renamed", async () => {
    const page = await openBoard(service, "?env=prod&view=compare&area=shop&team=checkout&other=payments%2Fbooks");
    const links = page.getByRole("table").getByRole("columnheader").getByRole("link");
    await links.first().waitFor();
    expect(await links.allTextContents()).toEqual(["counter", "books"]);
    await expect.poll(() => new URL(page.url()).searchParams.get("other")).toBe("money/books");
  });

  test("leads from a change of a waiver to the waivers under the new name", async () => {
    const page = await openBoard(service, "?env=prod&view=happened&kind=waivers");
    await page
      .getByRole("link", { name: /reliability/ })
      .first()
      .click();
    await page.getByText("formerly payments").waitFor();
    await page.getByRole("link", { name: /the whole area/ }).waitFor();
  });

  test("is not asked for where the list has something", async () => {
    const page = await openBoard(service);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${service.server.info.uri}/board/?env=prod&view=problems&area=shop&team=counter`);
    await page.getByRole("link", { name: "terraform_secret" }).waitFor();
    await settled(page);
    expect(asked.filter((path) => path.endsWith("/former-names"))).toEqual([]);
    await page.goto(`${service.server.info.uri}/board/?env=prod&view=problems&area=shop&team=counter&severity=low`);
    await page.getByText("No problem is open in prod: area shop, team counter, severity low.").waitFor();
  });
});
