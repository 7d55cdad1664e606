import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

interface Picture {
  readonly name: string;
  /** The person of the demo that signs in. */
  readonly person: string;
  readonly query: string;
  readonly height: number;
  prepare?(page: Page): Promise<void>;
}

/** What is taken, as `docs/board-<name>-<theme>.png`. */
const pictures: readonly Picture[] = [
  { name: "organisation", person: "Sonia", query: "?env=prod", height: 1_040 },
  { name: "application", person: "Sonia", query: "?env=prod&area=shop&team=storefront&app=web", height: 900 },
  {
    ...{ name: "asking", person: "Tom", query: "?env=prod&area=shop&team=storefront&app=web", height: 760 },
    async prepare(page) {
      await page.getByRole("button", { name: "Ask for a waiver of dast" }).click();
      await page.getByLabel("Covers").selectOption("all applications of storefront");
      await page.getByLabel("Reason").fill("The test environment is rebuilt. Until then nothing can be scanned there.");
      await page.getByText(/^That is \d+ applications/).waitFor();
    },
  },
  { name: "deciding", person: "Sonia", query: "?view=waiting&env=prod", height: 760 },
];

const demo = spawn(process.execPath, [...process.execArgv, `${repository}scripts/demo.ts`, "--sign-in"], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "ignore", "pipe"],
});
const browser = await launchChromium();
try {
  const board = await addressOf();
  for (const { name, person, query, height, prepare } of pictures) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: { width: 1200, height }, deviceScaleFactor: 2, colorScheme });
      await page.goto(board + query);
      await page.getByRole("link", { name: "Sign in", exact: true }).click();
      await page.getByRole("button", { name: person }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await page.waitForLoadState("networkidle");
      await prepare?.(page);
      await page.screenshot({ path: `${repository}docs/board-${name}-${colorScheme}.png` });
      await page.close();
    }
  }
} finally {
  await browser.close();
  demo.kill();
}

/** Waits until the demo says where its Board is. */
async function addressOf(): Promise<string> {
  let said = "";
  // The demo goes on writing, so its output stays open.
  for await (const text of demo.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    said += text;
    const found = /http:\/\/\S+\/board\//.exec(said);
    if (found) {
      demo.stderr.resume();
      return found[0];
    }
  }
  throw new Error(`the demo ended without an address: ${said}`);
}
