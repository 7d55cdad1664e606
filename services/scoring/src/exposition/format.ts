import { preferredType } from "../http/accept.ts";
import type { Format } from "./exposition.ts";

const formats: Readonly<Record<string, Format>> = {
  "text/plain": "text",
  "application/openmetrics-text": "openmetrics",
};

/**
 * The format that the `Accept` header prefers; text if it has no preference. Versions are ignored, because each format
 * has only one here.
 */
export function askedFormat(accept: string | undefined): Format {
  return formats[preferredType(accept, Object.keys(formats)) ?? ""] ?? "text";
}
