import { expect, test } from "vitest";
import { describeInBrowser, openBoard, useBoard } from "./support/browser.ts";
import { fillShop } from "./support/shop.ts";

describeInBrowser("the number of open problems", () => {
  test("counts those of areas without a score as well", async () => {
    const service = await useBoard();
    await fillShop(service);
    const problem = { area: "lab", team: "lab", app: "lab", env: "prod", problem_type: "leak", severity: "critical" };
    const report = { method: "POST", url: "/problem/scan-result", payload: { ...problem, count: 1 } } as const;
    expect((await service.server.inject(report)).statusCode).toBe(200);
    const listed = await service.server.inject("/problems?env=prod&severity=critical&limit=1");
    const { total } = JSON.parse(listed.payload);
    for (const view of ["?env=prod", "?view=sheet&env=prod"]) {
      const page = await openBoard(service, view);
      const figure = page.locator(".facts > div").filter({ hasText: /critical/ });
      await expect.poll(() => figure.locator("dd").textContent()).toBe(String(total));
    }
  });
});
