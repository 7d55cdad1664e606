import { expect, test } from "vitest";
import { describeInBrowser, openBoard, useBoard, violations } from "./support/browser.ts";
import { register, report } from "./support/shop.ts";

describeInBrowser("a metric that does not apply", () => {
  test("says by which rule on the page of its application, and counts in the head of the organisation", async () => {
    const service = await useBoard({
      applies: [{ scorecard: "security", metric: "image_scan", unless: { labels: { kind: ["library"] } } }],
    });
    await register(service, [{ app: "cart", labels: { kind: "library" } }]);
    const result = { app: "cart", scorecard: "security" };
    await report(service, [
      { ...result, metric: "image_scan", raw: { critical: 1, high: 0, medium: 0 } },
      { ...result, metric: "secret_scan", raw: { found: false } },
    ]);
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout&app=cart");
    const row = page.getByRole("row", { name: /image_scan/ });
    await row.getByRole("paragraph").getByText("not for kind=library, by policy").waitFor();
    expect(await violations(page)).toEqual([]);
    const organisation = await openBoard(service, "?env=prod");
    await organisation.getByText("exempt by policy").waitFor();
  });
});
