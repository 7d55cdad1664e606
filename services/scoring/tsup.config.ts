import type { Options } from "tsup";
import { base } from "../../tsup.base.ts";

const config: Options = { ...base, entry: ["src/index.ts", "src/main.ts"], dts: { entry: "src/index.ts" } };

export default config;
