import { readFile } from "node:fs/promises";
import { rollUp, type ScoreRecord } from "@maturity/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { hostileNames } from "../../../services/scoring/test/support/hostile-names.ts";
import { saveAgedScores, someScores } from "../../../services/scoring/test/support/reading.ts";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import { shippedEngine, type TestService } from "../../../services/scoring/test/support/service.ts";
import {
  column,
  describeInBrowser,
  hold,
  openAt,
  openBoard,
  settled,
  startBoard,
  useBoard,
  violations,
} from "./support/browser.ts";
import { longList, longListQuery, startLongList } from "./support/long-list.ts";

describeInBrowser("a long list", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startLongList();
  });
  afterAll(() => service.stop());

  test("says how much of it was read, reads the rest when asked, and draws only what is in sight", async () => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    const grid = page.getByRole("grid");
    expect(await grid.getAttribute("aria-rowcount")).toBe(String(longList + 1));
    await page.getByRole("button", { name: "Read all 1,203" }).click();
    await page.getByRole("status").getByText("1,203 applications", { exact: true }).waitFor();
    expect(await grid.locator("tbody tr").count()).toBeLessThan(100);
    await grid.locator("tbody a").first().focus();
    await page.keyboard.press("Control+End");
    await page.locator(`tr[aria-rowindex="${longList + 1}"]`).waitFor();
    await page.keyboard.press("Home");
    const focused = page.locator(":focus");
    expect(await focused.evaluate((one) => one.closest("tr")?.getAttribute("aria-rowindex"))).toBe(
      String(longList + 1),
    );
    expect(await violations(page)).toEqual([]);
  });

  test("is in another order than that of the service once all of it was read", async () => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    const read = await hold(page, /cursor=/);
    const rest = page.waitForRequest(/cursor=/);
    await page.getByRole("button", { name: "Score" }).click();
    await rest;
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
    expect((await column(page, 1))[0]).toBe("0");
    read();
    await page.locator('th[aria-sort="descending"]').waitFor();
    expect((await column(page, 1))[0]).toBe("100");
    const copy = await openBoard(service, `${longListQuery}&sort=-score`);
    await copy.locator('th[aria-sort="descending"]').waitFor();
    expect(await column(copy, 0)).toEqual(await column(page, 0));
  });

  test("fits a telephone whatever is filtered by", async () => {
    const query = `${longListQuery}&q=${"long".repeat(40)}`;
    const page = await openBoard(service, query, { viewport: { width: 360, height: 740 } });
    await page.getByText("among the 1,000 read of 1,203 applications").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test("says of how many a filter leaves none, and clears it", async () => {
    const page = await openBoard(service, `${longListQuery}&q=nobody`);
    await page.getByText("0 with “nobody” among the 1,000 read of 1,203 applications").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("None of these 1,000 applications has “nobody” in a name.").waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByText("1,000 of 1,203").waitFor();
    expect(await page.getByLabel(/^Filter/).inputValue()).toBe("");
  });

  test("has what is typed in its address, with pauses, and at once for a step back", async () => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    await page.evaluate(() => {
      const replace = history.replaceState.bind(history);
      const counted = window as unknown as { replaced: number };
      counted.replaced = 0;
      history.replaceState = (...args) => {
        counted.replaced++;
        replace(...args);
      };
    });
    const filter = page.getByLabel(/^Filter/);
    // As fast as a browser takes them, so that the pauses between them are short.
    await filter.evaluate((input: HTMLInputElement) => {
      for (let length = 1; length <= 150; length++) {
        input.value = "application 11".slice(0, 1 + (length % 14));
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
    });
    await filter.fill("application 11");
    await page.locator("tbody a").first().click();
    await page.goBack();
    await page.getByText("with “application 11”").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("application 11");
    expect(await page.evaluate(() => (window as unknown as { replaced: number }).replaced)).toBeLessThan(10);
    await filter.fill("application 12");
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("application 12");
  });

  test("has its address copied, with all that is chosen", async () => {
    const page = await openBoard(service, `${longListQuery}&q=application 11&sort=-score`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("with “application 11”").waitFor();
    await page.locator('th[aria-sort="descending"]').waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(page.url());
    const other = await openAt(copied);
    await other.getByText("with “application 11”").waitFor();
    await other.locator('th[aria-sort="descending"]').waitFor();
    // What is in sight is drawn first.
    await vi.waitFor(async () => expect(await column(other, 0)).toEqual(await column(page, 0)));
  });

  test("says what to do where the browser lets no page copy, as over plain HTTP", async () => {
    const insecure = service.server.info.uri.replace("127.0.0.1", "0.0.0.0");
    const page = await openAt(`${insecure}/board/${longListQuery}`);
    await page.getByText("1,000 of 1,203").waitFor();
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copy the address above" }).waitFor();
    await page.getByRole("button", { name: "Copy link" }).waitFor();
  });

  test("filters as one types, orders by its heads, and the address says both", async () => {
    const page = await openBoard(service, longListQuery);
    await page.getByText("1,000 of 1,203").waitFor();
    await page.keyboard.press("f");
    await page.keyboard.type("TION 119");
    await page.getByText("with “TION 119”").waitFor();
    expect((await column(page, 0)).every((name) => name.startsWith("application 119"))).toBe(true);
    await page.getByRole("button", { name: "Score" }).click();
    await page.locator('th[aria-sort="descending"]').waitFor();
    const scores = (await column(page, 1)).map(Number);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("-score");
    const copy = await openBoard(service, new URL(page.url()).search);
    await copy.getByText("with “TION 119”").waitFor();
    await copy.locator('th[aria-sort="descending"]').waitFor();
    await expect.poll(() => column(copy, 0)).toEqual(await column(page, 0));
  });

  test("fills a telephone from edge to edge, also where only some rows are drawn", async () => {
    const page = await openBoard(service, longListQuery, { viewport: { width: 360, height: 740 } });
    await page.getByText("1,000 of 1,203 applications").waitFor();
    const frame = await page.locator(".frame").boundingBox();
    const last = await page.locator("tbody tr:not(.gap)").first().locator("td.heat").first().boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo((frame?.x ?? 0) + (frame?.width ?? 0) - 1, 0);
  });

  test("is saved as it is shown", async () => {
    const page = await openBoard(service, `${longListQuery}&q=application 11&sort=-score`);
    await page.getByText("with “application 11”").waitFor();
    await page.locator('th[aria-sort="descending"]').waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    expect(lines[0]).toBe("app,score,why,state,measured_at,team,area,env,day");
    expect(lines[1]).toMatch(/^application \d+,\d+\.\d\d,.*,prod,20\d\d-\d\d-\d\d$/);
    const count = await page.getByRole("grid").getAttribute("aria-rowcount");
    expect(lines.length).toBe(Number(count));
    expect(lines.slice(1, 11).map((line) => line.split(",")[0])).toEqual((await column(page, 0)).slice(0, 10));
  });
});

describeInBrowser("names that something on the way might break", () => {
  let service: TestService;
  let records: readonly ScoreRecord[];
  beforeAll(async () => {
    service = await startBoard();
    records = await saveAgedScores(service.database.knex, someScores(60));
  });
  afterAll(() => service.stop());

  test("stand on every screen as they are, and the scores are those of rollUp", async () => {
    const { areas, teams, apps } = rollUp(shippedEngine.scorecards, records, new Date());
    const areasOfProd = areas.filter(({ env }) => env === "prod");
    const page = await openBoard(service, "?env=prod&sort=name");
    await settled(page);
    expect((await column(page, 0)).toSorted()).toEqual(areasOfProd.map(({ area }) => area).toSorted());
    for (const { area, count } of areasOfProd) {
      const row = page.getByRole("row").filter({ has: page.getByRole("rowheader").getByText(area, { exact: true }) });
      await row.waitFor();
      expect(await row.locator("td").nth(-4).textContent()).toContain(String(count));
    }
    for (const one of teams.filter(({ env }) => env === "prod").slice(0, 5)) {
      const query = new URLSearchParams({ env: "prod", area: one.area, team: one.team });
      await page.goto(`${service.server.info.uri}/board/?${query}`);
      await settled(page);
      expect(await page.locator("h1").textContent()).toBe(one.team);
      const own = apps.filter(({ area, team, env }) => env === "prod" && area === one.area && team === one.team);
      expect((await column(page, 0)).toSorted()).toEqual(own.map(({ app }) => app).toSorted());
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV" }).click();
      const csv = await readFile(await (await download).path(), "utf8");
      const shown = csv
        .split("\r\n")
        .slice(1, -1)
        .map((line) => Number(/,(\d[\d.]*),/.exec(line.replace(/^"(?:[^"]|"")*"|^[^,"]*/, ""))?.[1]));
      const expected = own.map(({ score }) => score).toSorted((a, b) => a - b);
      expect(shown.length).toBe(expected.length);
      shown.forEach((score, index) => {
        expect(Math.abs(score - (expected[index] ?? Number.NaN))).toBeLessThan(0.005 + 1e-9);
      });
    }
  });

  test.each(hostileNames.slice(-12))("%j is the name of an application one can open", async (name) => {
    const hostile = await useBoard();
    await saveScores(hostile.database.knex, [
      {
        ...{ area: name, team: name, app: name, env: "prod", scorecard: "security", metric: "image_scan", score: 50 },
        ...{ raw: { note: "</script><script>alert(1)</script>" }, scorer: "test@1.0.0" },
        ...{ pipeline_id: "javascript:alert(1)", project_repo: "javascript:alert(2)" },
      },
    ]);
    const page = await openBoard(hostile, "", { viewport: { width: 360, height: 740 } });
    for (let depth = 0; depth < 3; depth++) {
      await page.locator("[role=grid] tbody th a").click();
      await page.locator("h1").getByText(name, { exact: true }).waitFor();
    }
    await page.getByText("result", { exact: true }).click();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
