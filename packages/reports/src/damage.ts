import type { Document } from "./document.ts";
import { ReportError } from "./errors.ts";
import { jsonSpans } from "./json.ts";
import { visitXml } from "./xml.ts";

/** Whether a text begins like JSON or XML. HTML does not count as XML, because it is seldom well-formed. */
export function beginsAsData({ root, text }: Document): boolean {
  if (/^\s*</.test(text)) {
    const isHtml = /^\s*<!doctype html/i.test(text) || root?.name.toLowerCase() === "html";
    return !isHtml && (root !== undefined || /^\s*<(?:\?xml|[\w:][^>]*$)/.test(text));
  }
  const [first] = jsonSpans(text);
  return first !== undefined && text.slice(0, first.start).trim() === "";
}

/**
 * How a text that begins like JSON or XML is damaged: cut off or malformed. Undefined for a whole one, and for other
 * texts.
 */
export function damageOf(document: Document): string | undefined {
  if (!beginsAsData(document)) return undefined;
  try {
    if (/^\s*</.test(document.text)) visitXml(document.text, {});
    else for (const _ of document.records());
    return undefined;
  } catch (error) {
    if (error instanceof ReportError) return error.message;
    throw error;
  }
}
