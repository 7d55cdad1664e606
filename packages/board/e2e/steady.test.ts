import { setTimeout as wait } from "node:timers/promises";
import type { Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ageScores, missDays, writeDays } from "../../../services/scoring/test/support/days.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { describeInBrowser, openAt, settled, startBoard } from "./support/browser.ts";
import { fillShop, report } from "./support/shop.ts";

const screens = {
  "the organisation": "?env=prod",
  "an area": "?env=prod&area=shop",
  "a team": "?env=prod&area=shop&team=checkout",
  "an application": "?env=prod&area=shop&team=checkout&app=cart",
};

/** How long an organisation has been there, and what fills it. */
const organisations: Readonly<Record<string, (service: TestService) => Promise<void>>> = {
  "that just began": begin,
  "of ten days": async (service) => {
    await begin(service);
    await ageScores(service.database.knex, 20);
    await missDays(service.database.knex, 10);
    await writeDays(service.database);
  },
  "of many days": fillShop,
};

function begin(service: TestService): Promise<void> {
  const scan = { scorecard: "security", metric: "image_scan" };
  return report(
    service,
    ["cart", "vouchers", "search"].map((app, high) => ({ ...scan, app, raw: { critical: 0, high, medium: 3 } })),
  );
}

/** What comes last of all that a screen asks for: days, goals, what happened, and the code of the trend. */
const last = ["/history", "/campaigns", "/audit", "/board/assets/part"];

/** As much may move as is called good: https://web.dev/articles/cls. */
const good = 0.1;

const viewports = [
  { width: 1_280, height: 900 },
  { width: 360, height: 740 },
];

/** As many pages are open at a time: most of a case is waiting. */
const atOnce = 6;

/** What may come late: each list that a screen asks for, and what comes last of all. */
async function whatComes(address: string): Promise<readonly (readonly string[])[]> {
  const page = await openAt("about:blank");
  const paths = new Set<string>();
  page.on("request", (request) => paths.add(pathOf(request)));
  await page.goto(address);
  await settled(page);
  const lists = [...paths].filter((path) => /^\/[a-z-]+$/.test(path) && !last.includes(path));
  return [...lists.map((path) => [path]), last];
}

/** The path of a request, without the digest of a file. */
function pathOf(request: Request): string {
  return new URL(request.url()).pathname.replace(/-[A-Z0-9]{8}\.js$/, "");
}

/** How much of a screen moves while some of what it asks for comes later than all else. */
async function moved(address: string, viewport: (typeof viewports)[number], late: readonly string[]): Promise<number> {
  const page = await openAt("about:blank", { viewport });
  await page.route("**", async (route) => {
    if (late.includes(pathOf(route.request()))) await wait(400);
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as unknown as { value: number }[]) shifts.push(value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(address);
  await settled(page);
  const sum = await page.evaluate(() => {
    const { shifts } = globalThis as unknown as { shifts: readonly number[] };
    return shifts.reduce((sum, shift) => sum + shift, 0);
  });
  await page.close();
  return sum;
}

describeInBrowser("a page", () => {
  describe.each(Object.entries(organisations))("of an organisation %s", (_, fill) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startBoard();
      await fill(service);
    });
    afterAll(() => service.stop());

    test.each(Object.entries(screens))("%s keeps its place, whatever comes last", async (_, query) => {
      const address = `${service.server.info.uri}/board/${query}`;
      const all = await whatComes(address);
      const cases = all.flatMap((late) => viewports.map((viewport) => ({ late, viewport })));
      for (let done = 0; done < cases.length; done += atOnce) {
        await Promise.all(
          cases.slice(done, done + atOnce).map(async ({ late, viewport }) => {
            expect(await moved(address, viewport, late), `${late} at ${viewport.width}`).toBeLessThan(good);
          }),
        );
      }
    });
  });
});
