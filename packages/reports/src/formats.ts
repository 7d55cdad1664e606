import type { Format } from "./format.ts";
import * as known from "./formats/index.ts";

/** Every format that `formats/index.ts` lists. No report looks like two of them, so their order does not matter. */
export const formats: readonly Format[] = Object.values(known);
