import type { Document } from "./document.ts";

/** The elements with which a page begins, or a text with pieces of HTML in it, such as Markdown or a template. */
const elements: ReadonlySet<string> = new Set(
  "a article b body br button center code details div em footer form h1 h2 h3 h4 h5 h6 head header hr html i img kbd li link main meta nav ol p picture pre script section small span strong style sub summary sup svg table template title ul video".split(
    " ",
  ),
);

/** Whether a text begins as HTML. It is seldom well-formed XML, and no report. */
export function isHtml({ root, text }: Document): boolean {
  return /^\s*<!doctype html/i.test(text) || (root !== undefined && elements.has(root.name.toLowerCase()));
}
