import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { askAnew, describeInBrowser, openBoard, settled, startBoard, useBoard, violations } from "./support/browser.ts";
import { useFolder } from "./support/commands.ts";
import { fillShop, inDays, report, waive } from "./support/shop.ts";

describeInBrowser("the page", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test("of an empty store has a command to paste, which sends the report of a tool and no result of its own", async () => {
    const empty = await useBoard();
    const page = await openBoard(empty);
    await page.getByRole("heading", { name: "Nothing reported yet" }).waitFor();
    expect(await violations(page)).toEqual([]);
    const command = await page.locator("pre").first().textContent();
    const folder = await useFolder();
    const send = () => folder.run(String(command));
    await expect(send()).rejects.toThrow("report.json");
    await folder.writeReport();
    await send();
    await askAnew(page);
    await page.getByRole("link", { name: "shop" }).waitFor();
  });

  test("names the filters that nothing matches, and clears them", async () => {
    const page = await openBoard(service, "?view=problems&env=prod&area=payments&severity=info");
    await page.getByText("No problem is open in prod: area payments, severity info.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("link", { name: "cart" }).waitFor();
  });

  test("of an application that nobody knows says so", async () => {
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout&app=nobody");
    await page.getByText("This application has reported nothing in prod").waitFor();
  });

  test("of a metric that nobody knows says so, and has the others to choose from", async () => {
    const page = await openBoard(service, "?view=metric&env=prod&metric=security.image_scam");
    await page.getByText("No scorecard here has the metric security.image_scam.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Metric", { exact: true }).selectOption("security.image_scan");
    await page.getByRole("heading", { name: "Vulnerabilities in the container image" }).waitFor();
  });

  test("a filter that is none is refused, and leads to the list without it", async () => {
    const page = await openBoard(service, "?view=waivers&env=prod&ends=tomorrow");
    await page.getByText("must be a day such as").waitFor();
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("grid", { name: /^Waivers/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?view=waivers&env=prod");
  });

  test("shows where a list will be when the answer takes its time", async () => {
    const page = await openBoard(service, "?view=changes&env=prod");
    await settled(page);
    const held = Promise.withResolvers<void>();
    await page.route("**/problems?*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Problems", exact: true }).click();
    await page.locator(".skeleton.shown").waitFor();
    held.resolve();
    await page.getByRole("link", { name: "cart" }).waitFor();
    expect(await page.locator(".skeleton").count()).toBe(0);
  });

  test("keeps what it has while the service is away, says so, and goes on by itself", async () => {
    const page = await openBoard(service, "?env=prod");
    await page.getByRole("link", { name: "shop" }).waitFor();
    const isApi = (url: URL) => !url.pathname.startsWith("/board/");
    await page.route(isApi, (route) => route.abort());
    await askAnew(page);
    await page.getByText(", retrying").waitFor();
    expect(await page.getByRole("link", { name: "shop" }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.unroute(isApi);
    await page.getByText(", retrying").waitFor({ state: "detached" });
  });

  test("asks again soon after an answer that did not come between two refreshes", async () => {
    const page = await openBoard(service, "?env=prod");
    await page.clock.install({ time: "2026-01-01T12:00:10Z" });
    await page.reload(); // the clock has no timer that was there before it
    await settled(page);
    const isApi = (url: URL) => !url.pathname.startsWith("/board/");
    await page.route(isApi, (route) => route.abort());
    await page.getByRole("link", { name: "Problems", exact: true }).click();
    await page.getByRole("heading", { name: "No answer yet" }).waitFor();
    await page.unroute(isApi);
    await page.clock.fastForward(6_000);
    await page.getByRole("link", { name: "cart" }).waitFor({ timeout: 20_000 });
  });

  test("asks again for days that did not come", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    await page.route(/\/history\?/, (route) => route.abort());
    await page.reload();
    await page.getByText(", retrying").waitFor();
    await page.unroute(/\/history\?/);
    await askAnew(page);
    await page.locator(".time svg").first().waitFor();
    await page.getByText(", retrying").waitFor({ state: "detached" });
  });

  test.each(["{}", "null", '"busy"', "[]", '{"items":{}}', '{"items":[null],"total":1,"next":null}', "", "<html>"])(
    "goes on by itself after an answer that is not the service's: %s",
    async (body) => {
      const page = await openBoard(service, "?env=prod");
      await page.getByRole("link", { name: "shop" }).waitFor();
      await page.clock.install();
      const isApi = (url: URL) => !url.pathname.startsWith("/board/");
      await page.route(isApi, (route) => route.fulfill({ status: 200, contentType: "application/json", body }));
      await askAnew(page);
      await page.getByText(", retrying").waitFor();
      expect(await page.getByRole("link", { name: "shop" }).count()).toBe(1);
      await page.unroute(isApi);
      await page.clock.fastForward(60_000);
      await page.getByText(", retrying").waitFor({ state: "detached" });
    },
  );

  test("loads a part that did not load as soon as the service is back", async () => {
    const page = await openBoard(service, "?env=prod");
    await page.getByRole("link", { name: "shop" }).waitFor();
    await page.route("**/*", (route) => route.abort());
    await page.getByRole("link", { name: "Campaigns" }).click();
    await page.getByRole("heading", { name: "This part of the page did not load" }).waitFor();
    await page.unroute("**/*");
    await askAnew(page);
    await page.getByRole("heading", { name: "Campaigns" }).waitFor();
  });

  test("ends a list whose pages go round in a circle", async () => {
    const page = await openBoard(service, "?env=prod");
    await page.getByRole("link", { name: "shop" }).waitFor();
    const body = JSON.stringify({ as_of: new Date().toISOString(), items: [], next: "again", total: 3 });
    await page.route("**/areas?*", (route) => route.fulfill({ status: 200, contentType: "application/json", body }));
    await askAnew(page);
    await page.getByText(", retrying").waitFor();
    expect(await page.getByRole("link", { name: "shop" }).count()).toBe(1);
  });

  test("asks with the tag of what it has, and leaves what has not changed", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await settled(page);
    const again = page.waitForResponse(/problems/);
    await askAnew(page);
    expect((await again).status()).toBe(304);
    expect(await page.getByRole("link", { name: "cart" }).count()).toBe(1);
  });

  test("asks again in the first ten seconds of each minute, as all pages do", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await page.clock.install({ time: "2026-01-01T12:00:10Z" });
    await page.reload(); // the clock has no timer that was there before it
    await settled(page);
    await page.clock.pauseAt("2026-01-01T12:00:40Z");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.runFor(19_000);
    expect(asked).toEqual([]);
    await page.clock.runFor(12_000);
    await expect.poll(() => asked).toContainEqual(expect.stringContaining("problems"));
  });

  test("asks for nothing while nobody can see it", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await page.clock.install();
    await page.reload();
    await settled(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const show = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: state === "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await show("hidden");
    await page.clock.runFor(600_000);
    expect(asked).toEqual([]);
    const again = page.waitForRequest(/problems/);
    await show("visible");
    await again;
  });

  test("says that a day was not recorded where there is nothing to compare with", async () => {
    const page = await openBoard(service, "?view=changes&env=prod&since=2001-01-31");
    await page.getByText("No score of 31 Jan 2001 was recorded").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("names a day of the service as it is, wherever the reader is", async () => {
    const page = await openBoard(service, "?view=changes&env=prod&since=2001-01-31", { timezoneId: "America/Lima" });
    await page.getByText("No score of 31 Jan 2001 was recorded").waitFor();
  });

  test("that has its figures from yesterday says so", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await settled(page);
    await page.clock.install();
    const isApi = (url: URL) => !url.pathname.startsWith("/board/");
    await page.route(isApi, (route) => route.abort());
    await page.clock.fastForward("24:00:00");
    await askAnew(page);
    await page.getByText(/^as of \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d$/).waitFor();
  });

  test("of no application that never reported names no environment", async () => {
    const page = await openBoard(service, "?view=applications&env=staging&silent=1&area=payments");
    await page.getByText("Every registered application has reported: area payments.").waitFor();
    await page.getByRole("link", { name: "Clear the filters" }).click();
    expect(new URL(page.url()).searchParams.get("env")).toBe("staging");
  });

  test("has no columns for changes before a day was recorded", async () => {
    const young = await useBoard();
    await report(young, [{ app: "cart", scorecard: "security", metric: "secret_scan", raw: { found: false } }]);
    for (const query of ["?env=prod", "?view=teams&env=prod", "?view=applications&env=prod"]) {
      const page = await openBoard(young, query);
      await settled(page);
      await page.getByRole("columnheader", { name: "Score" }).waitFor();
      expect(await page.getByRole("columnheader", { name: /Change|30 days/ }).count()).toBe(0);
    }
  });

  test("an image with 28 critical findings has the step that is enough, as maturity status says it", async () => {
    const service = await useBoard();
    const raw = { critical: 28, high: 100, medium: 200 };
    await report(service, [{ app: "encoder", scorecard: "security", metric: "image_scan", raw }]);
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout&app=encoder");
    const step = page.getByRole("region", { name: "Fix first" }).locator(".step");
    await step.waitFor();
    expect(await step.textContent()).toBe("critical 28 → 1, high 100 → 0, medium 200 → 0 together gain +50.0");
  });

  test("names who waived a metric and why, and does not ask to fix it", async () => {
    const lenient = await useBoard();
    const scan = { app: "cart", scorecard: "security" };
    await report(lenient, [
      { ...scan, metric: "image_scan", raw: { critical: 0, high: 6, medium: 0 } },
      { ...scan, metric: "dast", raw: { high: 6, medium: 0 } },
    ]);
    const reason = "no instance to scan yet";
    const dast = { area: "shop", scorecard: "security", metric: "dast" };
    await waive(lenient, { ...dast, kind: "accepted", owner: "ada", reason, expires_at: inDays(7) });
    const page = await openBoard(lenient, "?env=prod&area=shop&team=checkout&app=cart");
    await settled(page);
    await page.getByText(/^waived until .* by ada: no instance to scan yet$/).waitFor();
    expect(await page.getByRole("region", { name: "Fix first" }).getByRole("listitem").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  test("saves the names of severities, and not their order", async () => {
    const page = await openBoard(service, "?view=problems&env=prod");
    await settled(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const csv = await readFile(await (await download).path(), "utf8");
    expect(csv).toMatch(
      /^problem,severity,type,team,area,count,opened,env,day\r\ncart,critical,terraform_secret,checkout,shop,1,20/,
    );
  });

  test("loads the part for waivers when it is shown, and begins to read at its heading", async () => {
    const page = await openBoard(service, "?env=prod");
    await settled(page);
    await page.route(/\/assets\/part-/, (route) => route.abort());
    await page.getByRole("link", { name: "Waivers", exact: true }).click();
    await page.getByRole("heading", { name: "This part of the page did not load" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(/\/assets\/part-/);
    await page.getByRole("button", { name: "Load the page again" }).click();
    await page.getByRole("heading", { name: "Waivers" }).waitFor();

    await page.goto(`${service.server.info.uri}/board/?env=prod`);
    await settled(page);
    await page.getByRole("link", { name: "Waivers", exact: true }).click();
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Waivers");
  });

  test("says what the service has against an address", async () => {
    const page = await openBoard(service, "?view=changes&env=prod&since=yesterday");
    await page.getByText("since must be").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
