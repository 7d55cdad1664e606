import { SaxesParser } from "saxes";
import { unreadable } from "./errors.ts";

/** What is done with the elements at a place. */
export interface XmlHandler {
  open?(attributes: Readonly<Record<string, string>>): void;
  /** @param text the text of the element, without that of elements inside of it */
  close?(text: string): void;
}

/**
 * The handlers by their places: the names of the elements from the root on, such as `report/package/counter`. `**`
 * stands for any number of elements, also none. Of several places that fit an element the first counts.
 */
export type XmlVisitor = Readonly<Record<string, XmlHandler>>;

const chunk = 65_536;
/** Deepest nesting: far more than any report has. */
const maxDepth = 100;
/** Most characters of a name in an error. */
const shownName = 40;

/** An element whose end has not been read yet. */
interface OpenElement {
  readonly handler: XmlHandler | undefined;
  text: string;
}

/**
 * Visits the elements of an XML text, without building a tree of it. External DTDs are not fetched. Entities that the
 * document defines itself are not expanded, so using one is an error.
 *
 * @throws ReportError if it is cut off, not well-formed, or nested more than 100 deep
 */
export function visitXml(text: string, visitor: XmlVisitor): void {
  const places = Object.entries(visitor).map(([place, handler]) => ({ ...placeOf(place), handler }));
  const names: string[] = [];
  const open: OpenElement[] = [];
  const parser = new SaxesParser();
  parser.on("error", ({ message }) => {
    throw unreadable(`is not well-formed XML: ${message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (names.push(name) > maxDepth) throw unreadable("is nested too deep");
    const handler = places.find((place) => isAt(place, names))?.handler;
    open.push({ handler, text: "" });
    handler?.open?.(attributes);
  });
  const append = (part: string) => {
    const element = open.at(-1);
    if (element?.handler?.close) element.text += part;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    names.pop();
    const element = open.pop();
    element?.handler?.close?.(element.text);
  });
  for (let at = 0; at < text.length; at += chunk) parser.write(text.slice(at, at + chunk));
  if (names.length > 0)
    throw unreadable(`is cut off inside ${names.map((name) => name.slice(0, shownName)).join("/")}`);
  parser.close();
}

/** The names at both ends of a place, between which `**` stands. */
interface Place {
  readonly start: readonly string[];
  readonly end: readonly string[];
  readonly isExact: boolean;
}

function placeOf(place: string): Place {
  const names = place.split("/");
  const gap = names.indexOf("**");
  if (gap === -1) return { start: names, end: [], isExact: true };
  return { start: names.slice(0, gap), end: names.slice(gap + 1), isExact: false };
}

/**
 * Whether the innermost of some elements is at a place. Only names are compared, never joined: a name may be as long as
 * the report, and would be copied for each element inside of it.
 */
function isAt({ start, end, isExact }: Place, names: readonly string[]): boolean {
  const spare = names.length - start.length - end.length;
  if (isExact ? spare !== 0 : spare < 0) return false;
  const first = names.length - end.length;
  return (
    end.every((name, index) => names[first + index] === name) && start.every((name, index) => names[index] === name)
  );
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
