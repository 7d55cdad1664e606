import type { Format } from "./format.ts";
import * as known from "./known-formats.ts";

/** Every format: one line each in `known-formats.ts`. No report looks like two of them, so their order does not matter. */
export const formats: readonly Format[] = Object.values(known);
