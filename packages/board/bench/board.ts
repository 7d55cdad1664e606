import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { BrowserContext, Page } from "playwright-core";
import { load } from "../../../services/scoring/bench/load.ts";
import {
  childrenMicroseconds,
  processorMicroseconds,
  startPostgres,
  startService,
} from "../../../services/scoring/bench/processes.ts";
import { fillStore } from "../../../services/scoring/bench/sides.ts";
import { medianOf, type Row, table } from "../../../services/scoring/bench/table.ts";
import { buildPage } from "../scripts/build-page.ts";
import { launchChromium } from "../scripts/chromium.ts";
import { pace, spread } from "../src/page/data/pace.ts";
import { addApplications, recordDays } from "./organisation.ts";
import { watchPaints } from "./paints.ts";

/**
 * `pnpm bench board`: how soon the page stands in Chromium with 10,000 applications in two environments with 15 metrics
 * each, and what open pages cost those who report. Browser, service and database share the machine.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "300000" },
    rounds: { type: "string", default: "3" },
    parts: { type: "string", default: "screens,keys,reports" },
  },
});
const rounds = Number(options.rounds);

/** How many applications are in prod after as many were added: 20,000. */
const listed = (Number(options.scores) / 15).toLocaleString("en");

const [link, cell, metric, problems, changed] = [
  ".list tbody a",
  ".list td.cell .heat:not(.none)",
  ".metrics td.heat",
  "#problems",
  "#changed",
] as const;

/** Each of these keys leaves other rows than the one before. */
const typed = ["1", "2", "Backspace", "7", "9", "Backspace", "Backspace", "8", "5", "Backspace", "3"];

/** The roll-ups are read this often while somebody asks. */
const readingSeconds = 15;

await buildPage();
const postgres = await startPostgres([]);
const service = await startService(postgres.url);
await fillStore(postgres.url, Number(options.scores));
await recordDays(postgres.url, Number(options.scores));
const browser = await launchChromium();
const rows: Row[] = [];
const parts: Readonly<Record<string, () => Promise<Row[]>>> = { screens, keys, reports };
for (const part of options.parts.split(",")) rows.push(...((await parts[part]?.()) ?? []));
await browser.close();
await service.stop();
await postgres.stop();
console.log(table(rows));
process.exit();

/** Figures beside what they should be. */
function aimed(what: string, ours: readonly number[], target: number): Row {
  return { what, unit: "ms", ours, peer: ours.map(() => target), peerName: "target", higherIsBetter: false };
}

/** How long until screens are painted, from the beginning of the navigation or from the click. */
async function screens(): Promise<Row[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const team: number[] = [];
  const app: number[] = [];
  const reloaded: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await readRollUps();
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/board/?env=prod`);
    cold.push(await painted(page, link));
    await rest(page);
    await page.reload();
    warm.push(await painted(page, link));
    await page.goto(`${service.url}/board/?env=prod&area=area-${round}`);
    await painted(page, link);
    await rest(page);
    await page.locator(link).first().click();
    team.push(await painted(page, cell));
    await rest(page);
    await page.locator(link).first().click();
    app.push(await painted(page, metric, problems, changed));
    await rest(page);
    await page.reload();
    reloaded.push(await painted(page, metric, problems, changed));
    await context.close();
  }
  return [
    aimed("the organisation, nothing cached in the browser", cold, 1_000),
    aimed("the organisation, loaded again", warm, 300),
    aimed("from its area to a team with all its scores", team, 300),
    aimed("from its team to an application, whole", app, 150),
    aimed("an application, whole, loaded again", reloaded, 300),
  ];
}

/** As the pages that others have open do: whoever asks next in the 15 seconds to come waits for no reading. */
async function readRollUps(): Promise<void> {
  await (await fetch(`${service.url}/areas`)).arrayBuffer();
}

/** Lets the page and the machine come to rest, as they do while somebody reads. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
}

/** Milliseconds until all of this stood on the screen. */
async function painted(page: Page, ...selectors: readonly string[]): Promise<number> {
  const found = await page.waitForFunction((wanted) => Reflect.get(globalThis, "paintOf")(wanted), selectors, {
    polling: 25,
  });
  return found.jsonValue();
}

/** From a key to the paint after it, in long lists that were read whole. */
async function keys(): Promise<Row[]> {
  await addApplications(postgres.url, Number(options.scores));
  await sleep(readingSeconds * 1_000); // the roll-ups in memory may be that old
  await readRollUps();
  const lists = {
    "all applications": "?view=applications&env=prod&all=1",
    "who fails a metric": "?view=metric&env=prod&metric=security.image_scan&all=1",
  };
  const rows: Row[] = [];
  for (const [name, query] of Object.entries(lists)) {
    const [first, whole, paints]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      const context = await newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/board/${query}`);
      first.push(await painted(page, link));
      whole.push(await readWhole(page));
      await page.keyboard.press("f");
      for (const key of typed) {
        await page.keyboard.press(key, { delay: 50 });
        await sleep(100);
      }
      const [, ...own]: number[] = await page.evaluate(() => Reflect.get(globalThis, "keyPaints"));
      paints.push(...own);
      await context.close();
    }
    rows.push(aimed(`the first of ${listed} rows: ${name}`, first, 1_000));
    rows.push({ what: "all of them", unit: "ms", ours: whole, peer: [], peerName: "", higherIsBetter: false });
    rows.push(aimed("a key to its paint there", paints, 50));
  }
  return rows;
}

/** Milliseconds until the page had read all of a list. */
async function readWhole(page: Page): Promise<number> {
  const found = await page.waitForFunction(
    () => !document.querySelector(".toolbar [role=status]")?.textContent.includes(" of ") && performance.now(),
    undefined,
    { polling: 25, timeout: 60_000 },
  );
  return found.jsonValue() as Promise<number>;
}

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(watchPaints, [link, cell, metric, problems, changed]);
  return context;
}

/**
 * POST /score beside 20 clients that ask for what an open organisation asks for, as often, and while nobody does. A turn
 * begins with the reading that its first question causes, and lasts until the pages ask again. A turn of the one is
 * compared with those of the other before and after it, so that a machine that becomes slower favours neither.
 */
async function reports(): Promise<Row[]> {
  const paths = await askedAgain();
  const clients = 20 * paths.length;
  const [beginMs, seconds] = [1_000, pace / 1_000]; // a second lets the thread of the clients start
  const times = { everyMs: pace, spreadMs: spread, beginMs, seconds: seconds - 0.5 };
  const workerData = { url: service.url, paths, clients, ...times };
  const askers = new URL("../../../services/scoring/bench/askers.ts", import.meta.url);
  const write = async (isAsked: boolean) => {
    const asked = isAsked && once(new Worker(askers, { workerData }), "message");
    await sleep(beginMs);
    const before = spent();
    const { perSecond, requests } = load(service.url, "score", 32, seconds);
    await asked;
    return { perSecond, cost: (spent() - before) / requests };
  };
  await write(false); // the service becomes fast
  const alone = [await write(false)];
  const beside: typeof alone = [];
  for (let turn = 0; turn < 8 * rounds; turn++) {
    beside.push(await write(true));
    alone.push(await write(false));
  }
  const row = (what: string, unit: string, figure: "perSecond" | "cost"): Row => ({
    ...{ what, unit, ours: beside.map((turn) => turn[figure]), peerName: "none" },
    peer: beside.map((_, turn) => medianOf(alone.slice(turn, turn + 2).map((next) => next[figure]))),
    higherIsBetter: figure === "perSecond",
  });
  return [
    row("POST /score beside 20 open pages; target: 0.97 of its rate", "/s", "perSecond"),
    row("processor time of a score there, with that of the pages' questions", "µs", "cost"),
  ];
}

/** What an open organisation asks for each time that it asks again. */
async function askedAgain(): Promise<readonly string[]> {
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(`${service.url}/board/?env=prod`);
  await painted(page, link);
  await rest(page);
  const paths: string[] = [];
  page.on("request", (request) => paths.push(request.url().slice(service.url.length)));
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.waitForTimeout(1_000);
  await context.close();
  if (paths.length === 0) throw new Error("the page asked for nothing");
  return paths;
}

/** What service and database have spent on the processors, in microseconds. */
function spent(): number {
  return processorMicroseconds(service) + childrenMicroseconds(postgres);
}
