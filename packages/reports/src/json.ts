/** Where one JSON value stands in a text; `end` is undefined when it never ends. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number | undefined;
}

/** How an object or a list of our formats begins, cut off or not; `[INFO]` and `[0000]` of log lines do not. */
const opening = /\{\s*(?:["}]|(?![\s\S]))|\[\s*(?:[\]{["]|(?![\s\S]))/;
const atLineStart = new RegExp(`^(?:${opening.source})`, "gm");
const here = new RegExp(`\\s*(?=${opening.source})`, "y");

/**
 * The JSON objects and lists of a text: one, one a line, or one after the other, with whatever a tool's error output put
 * between them left out.
 */
export function* jsonSpans(text: string): Generator<JsonSpan> {
  let start = nextStart(text, 0);
  while (start !== undefined) {
    const end = endOfValue(text, start);
    yield { start, end };
    if (end === undefined) return;
    start = nextStart(text, end);
  }
}

function nextStart(text: string, from: number): number | undefined {
  here.lastIndex = from;
  if (here.test(text)) return here.lastIndex;
  atLineStart.lastIndex = from;
  return atLineStart.exec(text)?.index;
}

/** What may stand in JSON outside of strings and matters here. */
const [quote, backslash, newline, comma] = [0x22, 0x5c, 0x0a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The index of the closing quote; undefined when the string is cut off, by the end or by a line break. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === newline) return undefined;
    if (code === backslash) at++;
  }
  return undefined;
}

/**
 * What can be told of a JSON value that is cut off or malformed: as much of it as is JSON, up to a comma, a bracket or the
 * end, closed. Undefined when it does not begin as JSON.
 */
export function beginningOfValue(text: string): unknown {
  const prefixes = prefixesOf(text);
  let known: unknown;
  // Once a prefix is malformed, so is every longer one.
  for (let from = 0, to = prefixes.length; from < to; ) {
    const middle = (from + to) >> 1;
    const { end, closing } = prefixes[middle] ?? { end: 0, closing: "" };
    const value = parsed(text.slice(0, end) + closing);
    if (value === undefined) to = middle;
    else {
      known = value;
      from = middle + 1;
    }
  }
  return known;
}

/** Where a JSON value can be cut, and the brackets that are open there. */
function prefixesOf(text: string): { end: number; closing: string }[] {
  const prefixes: { end: number; closing: string }[] = [];
  let closing = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end === undefined) return prefixes;
      at = end;
    } else if (code === comma) prefixes.push({ end: at, closing });
    else if (code === openBrace || code === openBracket) {
      closing = (code === openBrace ? "}" : "]") + closing;
      prefixes.push({ end: at + 1, closing });
    } else if (code === closeBrace || code === closeBracket) {
      closing = closing.slice(1);
      prefixes.push({ end: at + 1, closing });
      if (closing === "") return prefixes;
    }
  }
  prefixes.push({ end: text.length, closing });
  return prefixes;
}

/** The value of a JSON text; undefined when it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
