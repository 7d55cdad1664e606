import type { Options } from "tsup";
import { base } from "../../tsup.base.ts";

/** Commands and what they need are chunks of their own, so that each start loads what it uses. */
const config: Options = { ...base, entry: ["src/main.ts"], dts: false };

export default config;
