import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** What is taken, as `docs/board-<name>-<theme>.png`. */
const pictures = [{ name: "organisation", query: "?env=prod", height: 640 }];

const demo = spawn(process.execPath, [`${repository}services/scoring/dist/main.js`, "demo", "--serve"], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "ignore", "pipe"],
});
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
try {
  const board = await addressOf();
  for (const { name, query, height } of pictures) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: { width: 1200, height }, deviceScaleFactor: 2, colorScheme });
      await page.goto(board + query);
      await page.getByRole("grid").waitFor();
      await page.waitForLoadState("networkidle");
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
  for await (const text of demo.stderr.setEncoding("utf8")) {
    said += text;
    const found = /http:\/\/\S+\/board\//.exec(said);
    if (found) return found[0];
  }
  throw new Error(`the demo ended without an address: ${said}`);
}
