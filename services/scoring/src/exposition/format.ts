import { mediaType } from "@hapi/accept";
import type { Format } from "./exposition.ts";

const formats: Readonly<Record<string, Format>> = {
  "text/plain": "text",
  "application/openmetrics-text": "openmetrics",
};

/**
 * The format that the `Accept` header prefers; text if it has no preference. Versions are ignored, because each format
 * has only one here.
 */
export function askedFormat(accept = "*/*"): Format {
  return formats[mediaType(withoutParameters(accept), Object.keys(formats))] ?? "text";
}

/**
 * The header with only the weight of each media range: formats are recognised by type, whatever parameters they have.
 */
function withoutParameters(accept: string): string {
  const ranges = accept.replaceAll(quoted, "").split(",");
  return ranges.map((range) => range.split(";").filter(isTypeOrWeight).join(";")).join(",");
}

/**
 * A quoted text of a parameter, which may hold commas and semicolons. If the quote is not closed, it ends with the
 * header.
 */
const quoted = /"(?:[^"\\]|\\.?)*(?:"|$)/g;

function isTypeOrWeight(part: string, index: number): boolean {
  return index === 0 || /^q=[\d.]+$/i.test(part.replaceAll(/\s/g, ""));
}
