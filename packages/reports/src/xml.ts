import { SaxesParser } from "saxes";
import { unreadable } from "./errors.ts";

/**
 * Called for the elements of an XML text. The path of an element begins at the root, such as `report/package/counter`.
 */
export interface XmlVisitor {
  open?(path: string, attributes: Readonly<Record<string, string>>): void;
  /** @param text the text of the element, without that of elements inside of it */
  close?(path: string, text: string): void;
}

const chunk = 65_536;
/** Deepest nesting: far more than any report has. It bounds the length of the paths. */
const maxDepth = 100;

/**
 * Visits the elements of an XML text, without building a tree of it. External DTDs are not fetched. Entities that the
 * document defines itself are not expanded, so using one is an error.
 *
 * @throws ReportError if it is cut off, not well-formed, or nested more than 100 deep
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

/** Most characters before the root element, for comments, instructions and a DTD. */
const longestProlog = 16 * chunk;
/** Most faults before the root element. */
const mostFaults = 10;

/**
 * Name and attributes of the root element. Undefined if the text does not begin like XML. The rest of the text is not
 * read. Faults before the root element are ignored here, because `visitXml` reports them.
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
