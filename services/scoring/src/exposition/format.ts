import { mediaType } from "@hapi/accept";
import type { Format } from "./exposition.ts";

const formats: Readonly<Record<string, Format>> = {
  "text/plain": "text",
  "application/openmetrics-text": "openmetrics",
};

/**
 * The format that a scraper asks for by the weights of its `Accept` header; text where it has no preference. Versions are
 * left to the scraper: either format has one.
 */
export function askedFormat(accept = "*/*"): Format {
  return formats[mediaType(withoutParameters(accept), Object.keys(formats))] ?? "text";
}

/** Each media range with its weight alone: a format is told by its type, whatever parameters come with it. */
function withoutParameters(accept: string): string {
  const ranges = accept.replaceAll(quoted, "").split(",");
  return ranges.map((range) => range.split(";").filter(isTypeOrWeight).join(";")).join(",");
}

/** A quoted text of a parameter, which may hold commas and semicolons. One that is never closed ends with the header. */
const quoted = /"(?:[^"\\]|\\.?)*(?:"|$)/g;

function isTypeOrWeight(part: string, index: number): boolean {
  return index === 0 || /^q=[\d.]+$/i.test(part.replaceAll(/\s/g, ""));
}
