import type { Options } from "tsup";

/** How every package here is built: ESM for Node ≥ 20, where pipelines run, and for bundlers, with declarations. */
export const base: Options = {
  entry: ["src/index.ts"],
  format: "esm",
  target: "es2022",
  dts: true,
  clean: true,
  sourcemap: true,
  treeshake: true,
  silent: true,
};
