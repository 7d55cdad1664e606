import { preferredType } from "../http/accept.ts";
import type { Format } from "./exposition.ts";

const formats: Readonly<Record<string, Format>> = {
  "text/plain": "text",
  "application/openmetrics-text": "openmetrics",
};

/**
 * The format that the `Accept` header prefers; text without a preference. Versions are ignored, since each format has
 * one.
 */
export function preferredFormat(accept: string | undefined): Format {
  return formats[preferredType(accept, Object.keys(formats)) ?? ""] ?? "text";
}
