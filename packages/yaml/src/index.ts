import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type ParseOptions,
  parseAllDocuments,
  parseDocument,
  type SchemaOptions,
  visit,
  type YAMLError,
  YAMLParseError,
} from "yaml";

/** What is wrong with a YAML text, and in which line, counted from 1. */
export interface YamlFault {
  readonly line: number;
  readonly message: string;
}

/** Keys and indexes on the way from the whole to a part. */
export type YamlPath = readonly (string | number)[];

/** A YAML text that was read. */
export interface YamlText {
  /** Undefined where there are faults. */
  readonly value: unknown;
  readonly faults: readonly YamlFault[];
  /** What was read, but may not mean what its author thinks, such as an unknown tag. */
  readonly warnings: readonly YamlFault[];
  /**
   * Where a value or its key stands; of one that is missing, where that stands which should hold it. A mapping begins with
   * its first key, so its own key may stand in an earlier line.
   */
  lineOf(path: YamlPath, part?: "value" | "key"): number;
}

const maxAliases = 100;

/**
 * Reads YAML, of which JSON is a part. Text that would grow without end is a fault like any other: aliases of aliases, a
 * value that holds itself, brackets in brackets. It takes time in proportion to the text, so the caller bounds that.
 *
 * @param options of the schema `failsafe` every scalar is a text
 */
export function readYaml(text: string, options: YamlOptions = {}): YamlText {
  const lines = new LineCounter();
  return readDocument(parseDocument(text, { ...options, ...always, lineCounter: lines }), lines);
}

/**
 * Reads each of the documents of a YAML text, which stand between lines of `---`. A fault belongs to its document alone. It
 * is bounded as `readYaml` is. What holds nothing but comments is left out.
 */
export function readYamlDocuments(text: string, options: YamlOptions = {}): YamlText[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...options, ...always, lineCounter: lines });
  return [...documents]
    .filter(({ contents, errors }) => !isEmpty(contents) || errors.length > 0)
    .map((document) => readDocument(document, lines));
}

type YamlOptions = Pick<ParseOptions & SchemaOptions, "schema">;

/** The parser compares each key with each other one of its mapping, and would write to standard error of odd keys. */
const always = { prettyErrors: false, uniqueKeys: false, logLevel: "error" } as const;

function isEmpty(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.type === "PLAIN" && contents.source === "");
}

function readDocument(document: Document, lines: LineCounter): YamlText {
  const value = contentOf(document);
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const faultOf = ({ message, pos }: YAMLError): YamlFault => ({ line: lineAt(pos[0]), message });
  return {
    value,
    faults: document.errors.map(faultOf),
    warnings: document.warnings.map(faultOf),
    lineOf: (path, part = "value") => lineAt(offsetOf(document, path, part)),
  };
}

/** The value; errors of it are added to those of the document. */
function contentOf(document: Document): unknown {
  const refuse: Refuse = (message, [from, to] = [0, 0]) =>
    document.errors.push(new YAMLParseError([from, to], "IMPOSSIBLE", message));
  try {
    checkNodes(document, refuse);
    const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: maxAliases }) : undefined;
    if (holdsItself(value)) refuse("a value must not hold itself");
    else if (document.errors.length === 0) return value;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error;
    refuse(error.message);
  }
  for (const error of document.errors) {
    if (/call stack|Stack overflow/.test(error.message)) error.message = "it is nested too deep";
    if (error.code === "MULTIPLE_DOCS") error.message = "a second document begins here; there must be one alone";
  }
  return undefined;
}

/** @param range offsets of where it is and where that ends */
type Refuse = (message: string, range?: readonly [number, number, ...unknown[]]) => void;

function checkNodes(document: Document, refuse: Refuse): void {
  let aliases = 0;
  visit(document, {
    Alias: (_, { range }) => {
      if (++aliases === maxAliases + 1) refuse(`there are more than ${maxAliases} aliases`, range ?? undefined);
    },
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        // A copy of the value would set its prototype, and lose the key silently.
        if (key.value === "__proto__") refuse("the key __proto__ cannot be used", key.range ?? undefined);
        if (seen.has(key.value)) refuse(`the key ${key.value} stands there twice`, key.range ?? undefined);
        seen.add(key.value);
      }
    },
  });
}

function holdsItself(value: unknown, above: readonly unknown[] = [], seen = new Set<unknown>()): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (above.includes(value)) return true;
  if (seen.has(value)) return false;
  seen.add(value);
  const path = [...above, value];
  return Object.values(value).some((inner) => holdsItself(inner, path, seen));
}

function offsetOf(document: Document, path: YamlPath, part: "value" | "key"): number {
  for (let length = path.length; length >= 0; length--) {
    const found = path.slice(0, length);
    const node = (part === "key" && keyAt(document, found)) || document.getIn(found, true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyAt(document: Document, path: YamlPath): unknown {
  const holder = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (!isMap(holder)) return undefined;
  return holder.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))?.key;
}
