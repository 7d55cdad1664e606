import { buffer } from "node:stream/consumers";
import type { CatalogSource } from "@maturity/catalog";
import { readBytes } from "@maturity/command-line/files";
import { matching } from "@maturity/command-line/matching";
import type { Context } from "../context.ts";

/** The files of this machine and standard input, for `@maturity/catalog`. */
export function catalogSource({ cwd, stdin }: Pick<Context, "cwd" | "stdin">): CatalogSource {
  return {
    cwd,
    read: (path, name, maxBytes) => (path === "-" ? buffer(stdin) : readBytes(path, name, maxBytes)),
    match: (pattern, directory) => matching(pattern, directory, { followLinks: false }),
  };
}
