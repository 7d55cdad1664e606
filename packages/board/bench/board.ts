import { once } from "node:events";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { load } from "../../../services/scoring/bench/load.ts";
import { startPostgres, startService } from "../../../services/scoring/bench/processes.ts";
import { fillStore } from "../../../services/scoring/bench/sides.ts";
import { type Row, table } from "../../../services/scoring/bench/table.ts";
import { buildPage } from "../scripts/build-page.ts";

/**
 * `pnpm bench board`: how soon the page stands in Chromium with 10,000 applications in two environments with 15 metrics
 * each, and what open pages cost those who report. Browser, service and database share the machine.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { scores: { type: "string", default: "300000" }, rounds: { type: "string", default: "5" } },
});
const rounds = Number(options.rounds);
const none = { peer: [], peerName: "", higherIsBetter: false } as const;

await buildPage();
const postgres = await startPostgres([]);
const service = await startService(postgres.url);
await fillStore(postgres.url, Number(options.scores));
await fetch(`${service.url}/areas`);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const rows = [...(await views()), await keys(), ...(await openBoards())];
await browser.close();
await service.stop();
await postgres.stop();
console.log(table(rows));
process.exit();

/** How long until the screens stand. */
async function views(): Promise<Row[]> {
  const [cold, warm, team, app]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round++) {
    const context = await newContext();
    const page = await context.newPage();
    cold.push(await timed(page, () => page.goto(`${service.url}/board/?env=prod`), ".list tbody a"));
    warm.push(await timed(page, () => page.reload(), ".list tbody a"));
    await page.goto(`${service.url}/board/?env=prod&area=area-${round}`);
    await page.locator(".list tbody a").first().waitFor();
    team.push(await timed(page, () => page.locator(".list tbody a").first().click(), ".list td.cell"));
    app.push(await timed(page, () => page.locator(".list tbody a").first().click(), ".metrics td.heat"));
    await context.close();
  }
  return [
    { what: "the organisation, nothing cached in the browser", unit: "ms", ours: cold, ...none },
    { what: "the organisation, loaded again", unit: "ms", ours: warm, ...none },
    { what: "from its area to a team", unit: "ms", ours: team, ...none },
    { what: "from its team to an application", unit: "ms", ours: app, ...none },
  ];
}

async function timed(page: Page, act: () => Promise<unknown>, selector: string): Promise<number> {
  const began = performance.now();
  await act();
  await page.locator(selector).first().waitFor();
  return performance.now() - began;
}

/** From a key to the paint after it, in a list of all applications. */
async function keys(): Promise<Row> {
  const context = await newContext();
  await context.addInitScript(() => {
    const paints: number[] = [];
    Object.assign(globalThis, { paints });
    addEventListener(
      "keydown",
      () => {
        const began = performance.now();
        requestAnimationFrame(() => setTimeout(() => paints.push(performance.now() - began)));
      },
      { capture: true },
    );
  });
  const page = await context.newPage();
  await page.goto(`${service.url}/board/?view=applications&env=prod&all=1`);
  await page.locator(".list tbody a").first().waitFor({ timeout: 60_000 });
  await page.keyboard.press("f");
  for (const key of "application-12") await page.keyboard.type(key, { delay: 150 });
  await page.waitForFunction(() => Reflect.get(globalThis, "paints").length >= 15);
  const [, ...paints]: number[] = await page.evaluate(() => Reflect.get(globalThis, "paints"));
  const rows = await page.locator("[role=grid]").getAttribute("aria-rowcount");
  await context.close();
  return {
    what: `a key to its paint; ${Number(rows) - 1} rows are left at the end`,
    unit: "ms",
    ours: paints,
    ...none,
  };
}

function newContext(): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1280, height: 900 } });
}

/** POST /score beside 20 clients that ask for what an open organisation asks for, as often, and while nobody does. */
async function openBoards(): Promise<Row[]> {
  const seconds = 40;
  const paths = ["/areas?limit=1000", "/areas?env=prod&trend=true&limit=100"];
  const workerData = { url: service.url, paths, clients: 40, everyMs: 20_000, seconds };
  const [ours, peer]: [number[], number[]] = [[], []];
  const write = () => load(service.url, "score", 32, seconds).perSecond;
  write();
  for (let round = 0; round < Math.min(rounds, 2); round++) {
    peer.push(write());
    const asked = once(
      new Worker(new URL("../../../services/scoring/bench/askers.ts", import.meta.url), { workerData }),
      "message",
    );
    ours.push(write());
    await asked;
  }
  return [{ what: "POST /score beside 20 open pages", unit: "/s", ours, peer, peerName: "none", higherIsBetter: true }];
}
