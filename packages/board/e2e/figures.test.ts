import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { column, describeInBrowser, openBoard, settled, startBoard, useBoard, violations } from "./support/browser.ts";
import { campaignId, fillShop, runCampaign } from "./support/shop.ts";

const cart = "area=shop&team=checkout&app=cart";

describeInBrowser("the figures of a screen are those of the API, and", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fillShop(service);
  });
  afterAll(() => service.stop());

  test("what is below silver, and what is missing, is two clicks away, and is what the API has", async () => {
    const { payload } = await service.server.inject("/apps?env=prod&below_level=silver&lacks=true&sort=lacks");
    interface Nearest {
      readonly app: string;
      readonly lacks: { readonly conditions: readonly { readonly text: string }[] };
    }
    const nearest: Nearest[] = JSON.parse(payload).items;
    expect(nearest.length).toBeGreaterThan(1);
    const page = await openBoard(service, "?env=prod");
    await page.getByRole("link", { name: "Levels", exact: true }).click();
    await page.getByRole("link", { name: /^below silver/ }).click();
    await page.getByRole("heading", { name: "Below silver" }).waitFor();
    await page.getByRole("rowheader").first().waitFor();
    expect(await column(page, 0)).toEqual(nearest.map(({ app }) => app));
    const missing = nearest.map(({ lacks }) =>
      lacks.conditions.map(({ text }) => text.replace("needs ", "")).join("; "),
    );
    expect(await column(page, 2)).toEqual(missing);
  });

  test("two teams stand side by side after three clicks, with the averages of the API", async () => {
    const { payload } = await service.server.inject("/teams?env=prod&metrics=true");
    interface Average {
      readonly team: string;
      readonly metrics: readonly { readonly metric: string; readonly score: number | null }[];
    }
    const teams: Average[] = JSON.parse(payload).items;
    const scoreOf = (name: string) =>
      teams.find(({ team }) => team === name)?.metrics.find(({ metric }) => metric === "image_scan")?.score ?? 0;
    const page = await openBoard(service, "?env=prod&area=shop&team=checkout");
    await page.getByRole("link", { name: "Compare with a team" }).click();
    await page.getByLabel("Another team beside checkout").fill("books");
    await page.getByRole("link", { name: "payments / books" }).click();
    const row = page.getByRole("row", { name: /Vulnerabilities in the container image/ });
    await row.waitFor();
    const [one, other, difference] = await row.getByRole("cell").allInnerTexts();
    const written = (score: number) => `${Number(score.toFixed(1))}`;
    expect([one, other].map((text) => `${Number(text)}`)).toEqual(
      ["checkout", "books"].map((name) => written(scoreOf(name))),
    );
    expect(difference?.replace("\u2212", "-")).toMatch(/^[-+]?\d+(\.\d)?$/);
  });

  test("by how much the organisation and an area moved in 30 days is what the API has", async () => {
    const read = async (path: string): Promise<{ area: string; score: number; change?: number }[]> =>
      JSON.parse((await service.server.inject(path)).payload).items;
    const areas = await read("/areas?env=prod");
    const score = areas.reduce((sum, { score }) => sum + score, 0) / areas.length;
    const then = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
    const [former] = await read(`/history?env=prod&since=${then}&sort=at&limit=1`);
    for (const [query, change] of [
      ["", score - (former?.score ?? Number.NaN)],
      ["&area=shop", areas.find(({ area }) => area === "shop")?.change ?? Number.NaN],
    ] as const) {
      const page = await openBoard(service, `?env=prod${query}`);
      const figure = page
        .locator(".facts > div")
        .filter({ has: page.getByRole("link", { name: "in 30 days", exact: true }) });
      const text = ((await figure.locator("dd").textContent()) ?? "").replace("\u2212", "-");
      expect(Number(text)).toBeCloseTo(change, 1);
    }
  });

  test.each([
    ["the organisation", "", "in 30 days, then 1 area"],
    ["an area", "&area=shop", "in 30 days"],
    ["a team", "&area=shop&team=checkout", "in 30 days"],
  ])(
    "of how many areas the organisation was the average then stands by its change, which others compare with their present members: %s",
    async (_, query, label) => {
      for (const view of ["?env=prod", "?view=sheet&env=prod"]) {
        const page = await openBoard(service, `${view}${query}`);
        await settled(page);
        await page.locator(".facts dt").getByText(label, { exact: true }).first().waitFor();
        const labels = await page.locator(".facts dt").allInnerTexts();
        expect(labels.filter((text) => text.startsWith("in 30 days"))).toEqual([label]);
      }
    },
  );

  test("by how much an application moved leads to its row, also if it moved by less than half a point", async () => {
    const page = await openBoard(service, "?env=prod&area=shop&team=search&app=finder");
    await page.getByRole("link", { name: "in 30 days", exact: true }).click();
    await page.getByRole("heading", { name: "Changes" }).waitFor();
    await page.getByRole("row", { name: /finder/ }).waitFor();
  });

  test("how many waivers cover a metric leads to them, also where they are of the whole scorecard", async () => {
    const page = await openBoard(service, "?view=metric&env=prod");
    const figure = page.locator('a[href*="waives=reliability.sla"]');
    expect(await figure.textContent()).toBe("1");
    await figure.click();
    await page.getByRole("link", { name: /the whole scorecard/ }).waitFor();
    await page.getByText("1 waiver", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^waives reliability\.sla/ }).click();
    await page.getByText("2 waivers", { exact: true }).waitFor();
  });

  test("what to fix first in cart is by what its score gains", async () => {
    const page = await openBoard(service, `?env=prod&${cart}`);
    const first = page.getByRole("region", { name: "Fix first" });
    await first.waitFor();
    const gains = (await first.locator(".by").allInnerTexts()).map(Number);
    expect(gains.length).toBeGreaterThan(1);
    expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    expect(await first.locator(".step").first().textContent()).toMatch(/^[a-z_0-9]+ [\d.]+ → [\d.]+ gains \+?[\d.]+$/);
  });

  test("an input to improve stands by its label, with its unit", async () => {
    const page = await openBoard(service, `?env=prod&${cart}`);
    const steps = [{ field: "coverage_pct", from: 72.5, to: 75, score: 90, app_gain: 0.4 }];
    await page.route("**/apps?*", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const { metric, gain } of answer.items[0].metrics) if (metric === "unit_coverage") gain.steps = steps;
      await route.fulfill({ response, json: answer });
    });
    await page.reload();
    const first = page.getByRole("region", { name: "Fix first" });
    const coverage = first.getByRole("listitem").filter({ hasText: "Unit test coverage" });
    expect(await coverage.locator(".step").textContent()).toBe("the coverage by unit tests 72.5 → 75 % gains +0.4");
  });

  test("what to fix first in a team and in an area is what the API has", async () => {
    const of = { "area=shop&team=checkout": "teams", "area=shop": "areas" };
    for (const [query, path] of Object.entries(of)) {
      const { payload } = await service.server.inject(`/${path}?env=prod&${query}&detail=true`);
      const [{ gains }] = JSON.parse(payload).items;
      expect(gains.metrics.length).toBeGreaterThan(1);
      const page = await openBoard(service, `?env=prod&${query}`);
      const first = page.getByRole("region", { name: "Fix first" });
      await first.waitFor();
      const shown = await first.locator("li > .by").allInnerTexts();
      const expected = gains.metrics.slice(0, 3).map(({ gain }: { gain: number }) => `+${gain.toFixed(1)}`);
      expect(shown).toEqual(expected);
      expect(await first.locator("li").first().locator(".step").textContent()).toBe(
        gains.metrics[0].apps
          .map(({ app, gain }: { app: string; gain: number }) => `${app} +${gain.toFixed(1)}`)
          .join(", "),
      );
    }
  });

  test("the members of a campaign that are left, and its days, are those of the API, also by keyboard and as a table", async () => {
    // Of its own, so that its days are those of this moment.
    const own = await useBoard();
    await fillShop(own);
    await runCampaign(own);
    const read = async (list: string) =>
      JSON.parse((await own.server.inject(`/campaigns/${campaignId}/${list}`)).payload).items;
    const page = await openBoard(own, `?view=campaign&env=prod&campaign=${campaignId}`);
    await settled(page);
    const members = await read("members?met=false");
    expect(members.map(({ app }: { app: string }) => app)).toEqual(["vouchers", "cart", "ledger"]);
    expect((await column(page, 0)).map((text) => text.trim())).toEqual(members.map(({ app }: { app: string }) => app));
    const days = await read("days");
    const slider = page.getByRole("slider", { name: "Progress by the day: the day" });
    await slider.focus();
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/: 50\s%, .* on the line, 2 of 4 members$/);
    await page.keyboard.press("Home");
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/: 25\s%, 25\s% on the line, 1 of 4 members$/);
    expect(await slider.getAttribute("aria-valuemax")).toBe(String(days.length - 1));
    await page.getByRole("button", { name: "Table of Progress by the day" }).click();
    const table = page.getByRole("region", { name: "Table of Progress by the day" });
    expect(await table.getByRole("row").count()).toBe(days.length + 1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "By area" }).click();
    await page.getByRole("columnheader", { name: "Lost again" }).waitFor();
    await settled(page);
    expect(await column(page, 0)).toEqual(["payments", "shop"]);
    await page.getByRole("link", { name: "shop", exact: true }).click();
    await page.getByRole("link", { name: "cart" }).first().click();
    const waiting = page.getByRole("region", { name: "Campaigns that wait for it" });
    await waiting.getByText("met once, lost again").waitFor();
    await waiting.getByRole("link", { name: "Images without weaknesses" }).click();
    await page.getByText("Two incidents began in an image.").waitFor();
    await page.goto(`${page.url()}&area=nowhere`);
    await page.getByRole("link", { name: "Clear the filters" }).click();
    await page.getByRole("link", { name: "ledger" }).waitFor();
    await page.goto(page.url().replace(/\?.*/, "?env=prod"));
    const goals = page.getByRole("region", { name: "Score by the day" }).getByRole("list", { name: "Goals" });
    await goals.getByRole("link", { name: "Images without weaknesses" }).waitFor();
    await own.database.knex("campaigns").update({ scope: { env: ["staging"] } });
    await page.reload();
    await page.getByRole("region", { name: "Score by the day" }).waitFor();
    await settled(page);
    expect(await goals.count()).toBe(0);
  });

  test("the days of all, an area, a team and an application are those of the API, for as long as is asked", async () => {
    for (const of of ["sort=at", "area=shop&sort=at", "area=shop&team=checkout&sort=at", `${cart}&sort=at`]) {
      const page = await openBoard(service, `?env=prod&${of.replace("sort=at", "sort=score")}`);
      const slider = page.getByRole("slider", { name: "Score by the day, at 00:00 UTC: the day" });
      await slider.waitFor();
      await page.getByRole("link", { name: "365 days" }).click();
      await settled(page);
      const since = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
      const { payload } = await service.server.inject(`/history?env=prod&${of}&since=${since}&limit=1000`);
      const { items } = JSON.parse(payload);
      await page.getByRole("button", { name: "Table of Score by the day, at 00:00 UTC" }).click();
      const rows = page.getByRole("region", { name: "Table of Score by the day, at 00:00 UTC" }).getByRole("row");
      const shown = (await rows.locator("td:nth-child(2)").allInnerTexts()).filter((text) => text !== "–");
      const scores = items.map(({ score }: { score: number }) => String(Math.round(score * 10) / 10));
      expect(shown).toEqual(scores.toReversed());
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV of Score by the day, at 00:00 UTC" }).click();
      const names = ["area", "team", "app"].map((name) => new URLSearchParams(of).get(name) ?? "");
      const file = ["organisation", ...names.filter(Boolean), "prod-days.csv"].join("-");
      expect((await saved).suggestedFilename().replace(/^[a-z]+/, "organisation")).toBe(file);
      const [head, ...lines] = readFileSync(await (await saved).path(), "utf8")
        .trimEnd()
        .split("\r\n");
      expect(head).toBe("day,score,fresh,what happened,area,team,app,env");
      expect(lines.at(-1)).toMatch(new RegExp(`^[\\d-]+,\\d+\\.\\d\\d,(?:[01]\\.\\d\\d)?,.*,${names.join()},prod$`));
      expect(await violations(page)).toEqual([]);
    }
  });

  test.each(["area", "team"])("the changes of each %s are those of the API, with what moved them", async (by) => {
    const read = async (by: string) =>
      JSON.parse((await service.server.inject(`/change-totals?env=prod&by=${by}&sort=loss`)).payload).items;
    const groups: { area: string; team: string | null; change: number | null }[] = await read(by);
    expect(groups.length).toBeGreaterThan(1);
    const page = await openBoard(service, `?view=changes&env=prod&by=${by}`);
    await settled(page);
    expect(await column(page, 0)).toEqual(groups.map(({ area, team }) => team ?? area));
    const changes = (await column(page, by === "team" ? 2 : 1)).map((text) =>
      text.startsWith("–") ? null : Number(text.replace("−", "-")),
    );
    expect(changes).toEqual(groups.map(({ change }) => change && Number(change.toFixed(1))));
    const [{ fell, rose, moved }] = await read("organisation");
    expect(moved.length).toBeGreaterThan(0);
    const figures = await page.locator(".facts dd").allInnerTexts();
    expect(figures.slice(0, 2)).toEqual([String(fell), String(rose)]);
    expect(figures).toHaveLength(2 + moved.length);
  });

  test("which team is worst takes one click, and what is stale another", async () => {
    const page = await openBoard(service);
    await page.getByRole("link", { name: "Teams", exact: true }).click();
    await page.getByRole("heading", { name: "Teams" }).waitFor();
    await settled(page);
    expect((await column(page, 0))[0]).toBe("checkout");
    await page.getByRole("link", { name: "Stale", exact: true }).click();
    await page.getByRole("heading", { name: "Stale results" }).waitFor();
    await settled(page);
    expect(await column(page, 0)).toEqual(["cart"]);
    await page.getByRole("link", { name: "late", exact: true }).click();
    await page.getByText("No result is older than its metric allows in prod: state late.").waitFor();
  });

  test("why cart has its score takes two clicks from the organisation, and the way back is the browser's", async () => {
    const page = await openBoard(service);
    await page.getByRole("link", { name: "Applications", exact: true }).click();
    await page.getByRole("link", { name: "cart" }).click();
    await page.getByRole("table").getByText("6 high findings").waitFor();
    expect(new URL(page.url()).search).toBe(`?env=prod&${cart}`);
    expect(await page.title()).toBe("cart · checkout · shop · prod · Maturity");
    await page.goBack();
    await page.getByRole("link", { name: "vouchers" }).waitFor();
  });

  test("the application has the figures of the API, those that are missing with a dash", async () => {
    const { payload } = await service.server.inject(`/apps?env=prod&${cart}&detail=true`);
    const [app] = JSON.parse(payload).items;
    const page = await openBoard(service, `?env=prod&${cart}`);
    await settled(page);
    expect(await page.locator(".facts dd").first().textContent()).toBe(String(Math.round(app.score * 10) / 10));
    const shown = await page.locator(".metrics tr:not(.group) td.heat > span").allInnerTexts();
    const expected = app.metrics.map(({ score }: { score?: number }) => score);
    expect(shown.map((text) => Number.parseFloat(text))).toEqual(
      expected.map((score: number | undefined) => (score === undefined ? Number.NaN : Math.round(score * 10) / 10)),
    );
  });
});
