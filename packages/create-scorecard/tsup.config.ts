import type { Options } from "tsup";
import { base } from "../../tsup.base.ts";

/** Checks that the Node is new enough run before the rest is loaded. */
const config: Options = { ...base, entry: ["src/main.ts"], dts: false };

export default config;
