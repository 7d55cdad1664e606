import { existsSync } from "node:fs";
import { boardDirectory } from "@maturity/board";
import type { Logger } from "pino";

/** The folder of the Board. If it is not built yet, as in a fresh clone, it logs that and returns undefined. */
export function findBoard(logger: Logger): URL | undefined {
  if (existsSync(new URL("index.html", boardDirectory))) return boardDirectory;
  logger.info("the Board is not built, so it is not served; run pnpm build --filter=@maturity/board");
  return undefined;
}
