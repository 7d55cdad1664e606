import { SaxesParser } from "saxes";
import { unreadable } from "./errors.ts";

/** What to do at the elements of an XML text. A path names an element from the root on: `report/package/counter`. */
export interface XmlVisitor {
  open?(path: string, attributes: Readonly<Record<string, string>>): void;
  /** @param text what stands directly in the element */
  close?(path: string, text: string): void;
}

const chunk = 65_536;
/** Far more than any report has; with each level a path gets longer. */
const maxDepth = 100;

/**
 * Walks through an XML text without ever holding it as a tree. External DTDs are not fetched and entities of a document's
 * own are not expanded: one that is used is an error.
 *
 * @throws ReportError when it is cut off, not well-formed, or nested more than 100 deep
 */
export function visitXml(text: string, visitor: XmlVisitor): void {
  const open: { path: string; text: string }[] = [];
  const parser = new SaxesParser();
  parser.on("error", ({ message }) => {
    throw unreadable(`is not well-formed XML: ${message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const parent = open.at(-1);
    const path = parent === undefined ? name : `${parent.path}/${name}`;
    if (open.push({ path, text: "" }) > maxDepth) throw unreadable("is nested too deep");
    visitor.open?.(path, attributes);
  });
  const append = (part: string) => {
    const element = open.at(-1);
    if (element && visitor.close) element.text += part;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element) visitor.close?.(element.path, element.text);
  });
  for (let at = 0; at < text.length; at += chunk) parser.write(text.slice(at, at + chunk));
  const inside = open.at(-1);
  if (inside) throw unreadable(`is cut off inside ${inside.path}`);
  parser.close();
}

/** How much may stand before the root element: comments, instructions, a DTD; and how many faults. */
const longestProlog = 16 * chunk;
const mostFaults = 10;

/**
 * Name and attributes of the root element, without reading on; undefined when the text does not begin as XML does. What is
 * not well-formed before it does not hide it: it is told by whoever reads on.
 */
export function xmlRoot(text: string): { name: string; attributes: Readonly<Record<string, string>> } | undefined {
  if (!/^\s*</.test(text)) return undefined;
  let root: { name: string; attributes: Readonly<Record<string, string>> } | undefined;
  const stop = new Error("the root is known");
  const parser = new SaxesParser();
  let faults = 0;
  parser.on("error", () => {
    faults++;
    if (faults > mostFaults) throw stop;
  });
  parser.on("opentagstart", ({ name }) => {
    root = { name, attributes: {} };
  });
  parser.on("opentag", ({ name, attributes }) => {
    root = { name, attributes };
    throw stop;
  });
  const prolog = text.slice(0, longestProlog).trimStart();
  try {
    for (let at = 0; at < prolog.length && !root; at += chunk) parser.write(prolog.slice(at, at + chunk));
  } catch (error) {
    if (error !== stop) throw error;
  }
  return root;
}
