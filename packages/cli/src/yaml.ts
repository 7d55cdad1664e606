import {
  type Document,
  isScalar,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
  visit,
  YAMLParseError,
} from "yaml";

/** A YAML text that was read. */
export interface YamlText {
  /** Its errors are those of the text. */
  readonly document: Document;
  /** Undefined where there are errors. */
  readonly value: unknown;
}

const maxAliases = 100;

/**
 * Reads YAML, of which JSON is a part. Text that would grow without end is an error like any other: aliases of aliases, a
 * value that holds itself, brackets in brackets. It takes time in proportion to the text, so the caller bounds that.
 */
export function readYamlText(text: string, options: ParseOptions & SchemaOptions = {}): YamlText {
  // The parser compares each key with each other one of its mapping.
  const document = parseDocument(text, { ...options, prettyErrors: false, uniqueKeys: false });
  const refuse: Refuse = (message, [from, to] = [0, 0]) =>
    document.errors.push(new YAMLParseError([from, to], "IMPOSSIBLE", message));
  try {
    checkNodes(document, refuse);
    const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: maxAliases }) : undefined;
    if (holdsItself(value)) refuse("a value must not hold itself");
    else if (document.errors.length === 0) return { document, value };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error;
    refuse(error.message);
  }
  for (const error of document.errors) {
    if (/call stack/.test(error.message)) error.message = "it is nested too deep";
  }
  return { document, value: undefined };
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
