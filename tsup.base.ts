import type { Options } from "tsup";

/** How every package here is built: ESM for Node ≥ 22.18 and bundlers, with declarations. */
export const base: Options = {
  entry: ["src/index.ts"],
  format: "esm",
  target: "es2024",
  dts: true,
  clean: true,
  sourcemap: true,
  treeshake: true,
};
