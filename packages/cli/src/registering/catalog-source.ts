import { buffer } from "node:stream/consumers";
import type { CatalogSource } from "@maturity/catalog";
import type { Context } from "../context.ts";
import { readBytes } from "../files.ts";
import { matching } from "../matching.ts";

/** The files of this machine and standard input, for `@maturity/catalog`. */
export function catalogSource({ cwd, stdin }: Pick<Context, "cwd" | "stdin">): CatalogSource {
  return {
    cwd,
    read: (path, name, maxBytes) => (path === "-" ? buffer(stdin) : readBytes(path, name, maxBytes)),
    match: (pattern, directory) => matching(pattern, directory, { followLinks: false }),
  };
}
