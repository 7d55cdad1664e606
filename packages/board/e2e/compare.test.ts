import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { report } from "./support/shop.ts";

const scan = { app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } };

describeInBrowser("two teams side by side", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await report(service, [
      { ...scan, team: "core" },
      { ...scan, area: "payments", team: "core" },
      { ...scan, area: "payments", team: "books" },
    ]);
  });
  afterAll(() => service.stop());

  test.each([
    ["core", ["shop/core", "payments/core"]],
    ["books", ["core", "books"]],
  ])("have their areas only where they have one name: %s", async (other, heads) => {
    const page = await openBoard(service, `?view=compare&env=prod&area=shop&team=core&other=payments%2F${other}`);
    await settled(page);
    const links = page.getByRole("table").getByRole("columnheader").getByRole("link");
    expect(await links.allTextContents()).toEqual(heads);
    expect(await violations(page)).toEqual([]);
  });

  test.each([
    ["area=shop&team=core&other=zzz", "zzz names no team and no application."],
    ["area=shop&other=payments%2Fcore", "shop names no team and no application."],
    ["area=shop&team=core&other=payments%2Fnobody", "payments/nobody has no score in prod."],
  ])("say what is missing of an address that does not name both: %s", async (query, said) => {
    const page = await openBoard(service, `?view=compare&env=prod&${query}`);
    await page.getByText(said).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
