import type { Options } from "tsup";
import { base } from "../../tsup.base.ts";
import { buildPage } from "./scripts/build-page.ts";

const config: Options = { ...base, onSuccess: buildPage };

export default config;
