import type { Options } from "tsup";
import { base } from "../../tsup.base.ts";

const config: Options = {
  ...base,
  entry: ["src/index.ts", "src/testing.ts", "src/preview.ts", "src/wire.ts", "src/preview-main.ts"],
};

export default config;
