import { existsSync } from "node:fs";
import { boardDirectory } from "@maturity/board";
import type { Logger } from "pino";

/** The files of the Board, or undefined in a clone where they are not built yet, which the log says. */
export function findBoard(logger: Logger): URL | undefined {
  if (existsSync(new URL("index.html", boardDirectory))) return boardDirectory;
  logger.info("the Board is not built, so it is not served; run pnpm build --filter=@maturity/board");
  return undefined;
}
