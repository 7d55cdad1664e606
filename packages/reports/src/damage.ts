import type { Document } from "./document.ts";
import { ReportError } from "./errors.ts";
import { isHtml } from "./html.ts";
import { jsonSpans } from "./json.ts";
import { isCommentedJson } from "./json-comments.ts";
import { visitXml } from "./xml.ts";

/** Whether a text begins like JSON or XML. HTML does not count as XML, because it is seldom well-formed. */
export function beginsAsData(document: Document): boolean {
  const { root, text } = document;
  if (/^\s*</.test(text)) {
    return !isHtml(document) && (root !== undefined || /^\s*<(?:\?xml|[\w:][^>]*$)/.test(text));
  }
  const [first] = jsonSpans(text);
  return first !== undefined && text.slice(0, first.start).trim() === "";
}

/**
 * How a text that begins like JSON or XML is damaged: cut off or malformed. Undefined for a whole one, for JSON with
 * comments, which is whole for those that it is written for, and for other texts.
 */
export function damageOf(document: Document): string | undefined {
  if (!beginsAsData(document)) return undefined;
  try {
    if (/^\s*</.test(document.text)) visitXml(document.text, {});
    else for (const _ of document.records());
    return undefined;
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return isCommentedJson(document.text) ? undefined : error.message;
  }
}
