import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import {
  startService,
  type TestService,
  type TestServiceOptions,
} from "../../../../services/scoring/test/support/service.ts";
import { chromiumPath, launchChromium } from "../../scripts/chromium.ts";
import { boardDirectory } from "../../src/index.ts";

const isInstalled = existsSync(chromiumPath);
if (!isInstalled) {
  const how = "apt-get install chromium-headless-shell, or name another one in CHROMIUM";
  if (process.env.CI) throw new Error(`the tests of the Board need ${chromiumPath}: ${how}`);
  process.stderr.write(`The tests of the Board are skipped without ${chromiumPath}: ${how}\n`);
}

let browser: Browser;

/** Tests that need a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(!isInstalled)(name, () => {
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser.close());
    tests();
  });
}

/** A service with the Board, which listens. */
export async function startBoard(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startService({ board: boardDirectory, ...options });
  await service.server.start();
  return service;
}

/** `startBoard` for one test. */
export async function useBoard(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startBoard(options);
  onTestFinished(() => service.stop());
  return service;
}

/** What a browser says against a page: errors of scripts, and what its policy forbids. */
const complaint = /Content Security Policy|Uncaught|TypeError/;

/** `openAt` a place of the Board. */
export function openBoard({ server }: TestService, query: string = "", options?: BrowserContextOptions): Promise<Page> {
  return openAt(`${server.info.uri}/board/${query}`, options);
}

/** A window of a browser for one test, at an address. It must have nothing to complain about. */
export async function openAt(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => complaint.test(message.text()) && complaints.push(message.text()));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(address);
  return page;
}

/** Waits until a screen stands, with all that it asks for. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1, main .notice").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
}

/** As when a cable is put in again: the page asks for everything anew, without waiting for its time. */
export function askAnew(page: Page): Promise<boolean> {
  return page.evaluate(() => dispatchEvent(new Event("online")));
}

/** Goes on with the Tab key to what has this text. */
export async function tabTo(page: Page, text: string): Promise<void> {
  const focused = () => page.evaluate(() => document.querySelector(":focus")?.textContent ?? "");
  for (let tabs = 0; tabs < 80; tabs++) {
    await page.keyboard.press("Tab");
    if ((await focused()).includes(text)) return;
  }
  throw new Error(`the Tab key does not come to ${JSON.stringify(text)}`);
}

/** Keeps back the questions of the page that match. @returns lets them through */
export async function hold(page: Page, pattern: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe has against a page as it is now, in a few words each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Found {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Found[] }> } };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
}

/** The texts of a column of the list on the page, by the number of the column from 0. */
export function column(page: Page, index: number): Promise<string[]> {
  return page.locator(`[role=grid] tbody tr:not(.gap) > :nth-child(${index + 1})`).allInnerTexts();
}
