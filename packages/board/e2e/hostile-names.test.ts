import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeDays } from "../../../services/scoring/test/support/days.ts";
import { hiddenNames, hostileNames } from "../../../services/scoring/test/support/hostile-names.ts";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { otherOf } from "../src/page/lists/other.ts";
import { describeInBrowser, openBoard, settled, startBoard, violations } from "./support/browser.ts";
import { inDays } from "./support/shop.ts";

const mark = `<img src=x onerror="alert(1)"></script><script>alert(2)</script>"'\`&lt;`;
const env = `prod ${mark}`;
const names = [mark, ...hostileNames];

/** Each name stands once at each depth, beside others. */
const at = (index: number) => names[index % names.length] as string;
const targets = names.map((area, index) => ({ area, team: at(index + 7), app: at(index + 13), env }));
const hidden = hiddenNames.map((name) => ({ area: name, team: name, app: name, env }));

async function fill({ database, server }: TestService): Promise<void> {
  const send = async (method: "POST" | "PUT", url: string, payload: object) => {
    const answer = await server.inject({ method, url, payload });
    expect(answer.statusCode, answer.payload).toBeLessThan(300);
  };
  const results = [
    { scorecard: "security", metric: "image_scan", score: 40, raw: { critical: 1, high: 0, medium: 0, [mark]: mark } },
    { scorecard: "reliability", metric: "sla", score: 0, raw: { availability_pct: 0 } },
  ].map((result) => ({ ...result, scorer: `${mark}@1.0.0`, pipeline_id: "javascript:alert(3)", project_repo: mark }));
  await saveScores(
    database.knex,
    [...targets, ...hidden].flatMap((target) => results.map((result) => ({ ...target, ...result }))),
  );
  await writeDays(database);
  for (const target of targets) {
    const details = [{ file: mark, line: 1, description: mark }];
    const problem = { ...target, problem_type: target.app, severity: "critical", count: 1, details };
    await send("POST", "/problem/scan-result", problem);
  }
  const apps = targets.map(({ env: _, ...app }) => ({ ...app, owner: mark, repo: "javascript:alert(4)", tier: mark }));
  await send("PUT", "/registry", { apps: [...apps, { ...apps[0], app: "silent" }] });
  const waiver = { kind: "accepted", reason: mark, owner: mark, expires_at: inDays(9) };
  for (const { area } of targets) await send("POST", "/waivers", { ...waiver, area, scorecard: "security" });
  const [{ env: _, ...from } = {}] = targets;
  await send("POST", "/apps/move", { from, to: { ...from, app: `formerly ${mark}`.slice(0, 100) } });
}

const views = [
  "organisation",
  "teams",
  "applications",
  "levels",
  "levels&reach=silver",
  "metric",
  "stale",
  "changes",
  "problems",
  "waivers",
  "campaigns",
  "happened",
];

/** Two teams side by side. */
function sideBySide(): string {
  const [, one, other] = targets;
  if (!one || !other) throw new Error("there are not two teams");
  const { area, team } = one;
  return `compare&${new URLSearchParams({ area, team, other: otherOf({ ...other, app: null }) })}`;
}

/** What a name must never become: an element, or an address that a browser runs. */
async function expectHarmless(page: Page): Promise<void> {
  await settled(page);
  expect(await page.locator("main img, main script").count()).toBe(0);
  const addresses = await page.locator("a").evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
  expect(addresses.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
}

const narrow = { viewport: { width: 360, height: 740 } };

describeInBrowser("hostile names", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    await fill(service);
  });
  afterAll(() => service.stop());

  test.each([...views, "problems&severity=critical", "applications&silent=1", "waivers&ended=1", sideBySide()])(
    "are text on the screen %s",
    async (view) => {
      const query = new URLSearchParams({ env, metric: "security.image_scan", missing: "" });
      const page = await openBoard(service, `?view=${view}&${query}`, narrow);
      await expectHarmless(page);
      expect(await violations(page)).toEqual([]);
    },
  );

  test("stand whole in the list of applications", async () => {
    const page = await openBoard(service, `?view=applications&${new URLSearchParams({ env })}`, {
      viewport: { width: 1_280, height: 20_000 },
    });
    await settled(page);
    const links = await page.locator("[role=grid] tbody a").allTextContents();
    const moved = `formerly ${mark}`.slice(0, 100);
    const expected = [moved, ...targets.slice(1).map(({ app }) => app), ...hiddenNames];
    expect(expected.filter((name) => !links.includes(name))).toEqual([]);
  });

  test.each([...targets.slice(1, 16), ...hidden])(
    "$app of $team of $area is found at its own address",
    async (target) => {
      const page = await openBoard(service, `?${new URLSearchParams(target)}`, narrow);
      await expectHarmless(page);
      expect(await page.locator("h1").textContent()).toContain(target.app);
      const { area, team } = target;
      await page.goto(`${service.server.info.uri}/board/?${new URLSearchParams({ env, area, team })}`);
      await expectHarmless(page);
      expect(await page.locator("h1").textContent()).toContain(team);
    },
  );

  test("are found by the search, and lead to their applications", async () => {
    const page = await openBoard(service, `?${new URLSearchParams({ env })}`);
    await settled(page);
    await page.keyboard.press("/");
    await page.keyboard.type("onerror");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await settled(page);
    expect(await page.locator("main img, main script").count()).toBe(0);
  });
});
