import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's packages. The shell, which has no windows to draw, takes half of the processor time of the other. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** The browser of tests, benchmarks and pictures. The environment variable CHROMIUM names another. */
export const chromiumPath: string = process.env.CHROMIUM ?? installed.find(existsSync) ?? installed[0];

export function launchChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: chromiumPath, args });
}
