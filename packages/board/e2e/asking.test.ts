import { afterAll, beforeAll, expect, test } from "vitest";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { column, describeInBrowser, hold, openBoard, settled, startBoard, useBoard } from "./support/browser.ts";
import { fillShop, report } from "./support/shop.ts";

describeInBrowser("the page", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
    const many = Array.from({ length: 1_203 }, (_, index) => ({
      ...{ area: "big", team: "all", app: `application ${index}`, env: "large" },
      ...{ scorecard: "security", metric: "image_scan", score: index % 101, raw: {}, scorer: "test@1.0.0" },
    }));
    await saveScores(service.database.knex, many);
  });
  afterAll(() => service.stop());

  test("asks for all of an application at once, and once for the changes of all its metrics", async () => {
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout");
    await settled(page);
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(request.url()));
    const release = await hold(page, /\/apps\?/);
    await page.getByTitle("cart", { exact: true }).click();
    const pathsOf = () => [...asked].map((url) => new URL(url).pathname).filter((path) => !path.startsWith("/board"));
    await expect
      .poll(() => pathsOf().toSorted())
      .toEqual(["/apps", "/campaigns", "/history", "/history", "/problems", "/scorecards"]);
    release();
    await page.getByText("image_scan 70.7 → 35.4").waitFor();
    expect(pathsOf().filter((path) => path === "/history")).toHaveLength(2);
  });

  test.each(["?view=applications&env=large", "?view=metric&env=large&metric=security.image_scan"])(
    "shows the beginning of the list %s while it reads the rest",
    async (query) => {
      const page = await openBoard(service, "?env=prod");
      const release = await hold(page, /[?&]cursor=/);
      await page.goto(`${service.server.info.uri}/board/${query}&all=1`);
      await page.getByText("1,000 of 1,203").waitFor();
      await page.getByRole("rowheader").first().waitFor();
      release();
      await page.getByRole("status").getByText("1,203 applications", { exact: true }).waitFor();
    },
  );

  test("reads only the beginning of the changes, and the totals of all from the service", async () => {
    const page = await openBoard(service, "?view=changes&env=large");
    await settled(page);
    await page.getByText("1,000 of 1,203 applications").waitFor();
  });

  test("keeps the list that it shows while it reads the rest", async () => {
    const page = await openBoard(service, "?view=applications&env=large");
    const release = await hold(page, /[?&]cursor=/);
    const readAll = page.getByRole("button", { name: "Read all 1,203" });
    await readAll.click();
    await readAll.waitFor({ state: "detached" });
    expect(await page.getByRole("rowheader").count()).toBeGreaterThan(0);
    release();
    await page.getByRole("status").getByText("1,203 applications", { exact: true }).waitFor();
  });

  test("calls no metric of a team missing that it has not read yet", async () => {
    const page = await openBoard(service, "?env=large&area=big");
    await settled(page);
    const releaseFirst = await hold(page, /\/scores\?(?!.*cursor)/);
    const releaseRest = await hold(page, /\/scores\?.*cursor=/);
    await page.getByRole("link", { name: "all", exact: true }).click();
    await page.getByText("average of 1,203 applications").waitFor();
    expect(await page.getByRole("rowheader").count()).toBe(0);
    releaseFirst();
    await page.locator("td.cell .heat").first().waitFor();
    expect(await page.locator("td.cell .none").count()).toBe(0);
    releaseRest();
    await page.locator("td.cell .none").first().waitFor();
  });

  test("has the figures of all teams at the head, while it reads them and where it reads some of them only", async () => {
    const own = await useBoard();
    const teams = Array.from({ length: 1_103 }, (_, index) => ({
      ...{ area: `area ${index % 2}`, team: `team ${index}`, app: "cart", env: "prod" },
      ...{ scorecard: "security", metric: "image_scan", score: index < 1_000 ? 20 : 80, raw: {}, scorer: "test@1.0.0" },
    }));
    await saveScores(own.database.knex, teams);
    const page = await openBoard(own, "?env=prod");
    const release = await hold(page, /teams\?.*cursor=/);
    await page.getByRole("link", { name: "Teams", exact: true }).click();
    await page.getByRole("rowheader").first().waitFor();
    const average = page.locator(".facts div", { hasText: "average of 1,103 teams" }).locator("dd");
    const mean = String(Math.round(((1_000 * 20 + 103 * 80) / 1_103) * 10) / 10);
    const apps = page.locator(".facts div", { hasText: "applications" }).locator("dd");
    expect(await average.textContent()).toBe(mean);
    expect(await apps.textContent()).toBe("1,103");
    release();
    await page.getByRole("button", { name: "Read all 1,103" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await average.textContent()).toBe(mean);
    expect(await apps.textContent()).toBe("1,103");
  });

  test("reads on in the changes of an application until it has enough to show", async () => {
    const own = await useBoard();
    await report(own, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: true } }]);
    await own.database.knex.raw(`
      INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause)
      SELECT target_id, metric_id, at + number * interval '1 ms', score, score, 'other@' || number, 'rules'
      FROM score_changes, generate_series(1, 230) AS number
    `);
    const page = await openBoard(own, "?env=prod&area=shop&team=checkout");
    const release = await hold(page, /history.*cursor=/);
    await page.getByTitle("cart", { exact: true }).click();
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.waitFor();
    expect(await changed.getByText("Nothing").count()).toBe(0);
    release();
    await changed.getByText("secret_scan").waitFor();
    expect(await changed.getByRole("listitem").count()).toBe(1);
  });

  test.each(["", "&below=79.5"])("counts a score in the step of its cell, with the query %j", async (below) => {
    const own = await useBoard();
    const scores = [79.4, 79.6].map((score) => ({
      ...{ area: "shop", team: "checkout", app: `scores ${score}`, env: "prod" },
      ...{ scorecard: "security", metric: "image_scan", score, raw: {}, scorer: "test@1.0.0" },
    }));
    await saveScores(own.database.knex, scores);
    const page = await openBoard(own, `?view=metric&env=prod&metric=security.image_scan${below}`);
    const steps = page.getByRole("list", { name: "The spread of the scores" }).getByRole("button");
    await steps.first().waitFor();
    expect(await steps.locator("b").allInnerTexts()).toEqual(["0", "0", "0", "1", "1"]);
    if (below === "") await steps.nth(3).click();
    await page.getByRole("status").getByText("1 application", { exact: true }).waitFor();
    expect(await column(page, 1)).toEqual(["79"]);
    expect(await steps.nth(3).getAttribute("aria-pressed")).toBe("true");
  });

  test("counts the spread of a metric itself where it has read all of it, and keeps it while a step is chosen", async () => {
    const page = await openBoard(service, "?env=prod");
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(request.url()));
    await page.goto(`${service.server.info.uri}/board/?view=metric&env=large&metric=security.image_scan&all=1`);
    const steps = page.getByRole("list", { name: "The spread of the scores" }).getByRole("button");
    await steps.first().waitFor();
    expect([...asked].filter((url) => url.includes("limit=1&") || url.endsWith("limit=1")).toSorted()).toEqual([
      expect.stringContaining("missing=security.image_scan"),
      expect.stringContaining("former_rules=true"),
    ]);
    const counts = () => steps.locator("b").allInnerTexts();
    const counted = ["240", "240", "240", "240", "243"];
    expect(await counts()).toEqual(counted);
    const release = await hold(page, /\/scores\?.*below=/);
    await steps.first().focus();
    await page.keyboard.press("Enter");
    await page.locator('.spread [aria-pressed="true"]').waitFor();
    expect(await page.locator(":focus").getAttribute("aria-pressed")).toBe("true");
    expect(await counts()).toEqual(counted);
    release();
    await page.getByRole("status").getByText("240 applications", { exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await counts()).toEqual(counted);
  });
});
