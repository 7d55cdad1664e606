/** The place of a JSON value in a text. */
export interface JsonSpan {
  readonly start: number;
  /** Undefined if the value is cut off or nested too deep. */
  readonly end: number | undefined;
  readonly isTooDeep: boolean;
}

/** Deepest nesting. No report comes near it, and functions that call themselves for each level still have room. */
export const maxNesting = 1_000;

/**
 * The beginning of an object or a list as reports have them, also of one that is cut off. Log lines with `[INFO]` or
 * `[0000]` do not match.
 */
const opening = /\{\s*(?:["}]|(?![\s\S]))|\[\s*(?:[\]{["]|(?![\s\S]))/;
const atLineStart = new RegExp(`^(?:${opening.source})`, "gm");
const here = new RegExp(`\\s*(?=${opening.source})`, "y");

/**
 * Finds the JSON objects and lists of a text. There may be a single one, one on each line, or several in a row. Other
 * text between them, such as error messages of the tool, is skipped.
 */
export function* jsonSpans(text: string): Generator<JsonSpan> {
  let start = nextStart(text, 0);
  while (start !== undefined) {
    const span = jsonSpanAt(text, start);
    const { end } = span;
    yield span;
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

/** Codes of the characters that matter for the structure of JSON. */
const [quote, backslash, newline, comma, colon] = [0x22, 0x5c, 0x0a, 0x2c, 0x3a];
const space = 0x20;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The place of the object or list that begins at an index. */
export function jsonSpanAt(text: string, start: number): JsonSpan {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end === undefined) break;
      at = end;
    } else if (code === openBrace || code === openBracket) {
      if (++depth > maxNesting) return { start, end: undefined, isTooDeep: true };
    } else if ((code === closeBrace || code === closeBracket) && --depth === 0) {
      return { start, end: at + 1, isTooDeep: false };
    }
  }
  return { start, end: undefined, isTooDeep: false };
}

/** The index of the closing quote. Undefined if the string is cut off by the end of the text or by a line break. */
export function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === newline) return undefined;
    if (code === backslash) at++;
  }
  return undefined;
}

/**
 * A key that stands twice in one object of a text that is valid JSON, with two values. `JSON.parse` keeps only the last.
 * Undefined if there is none. Equal values contradict nothing: dependency-check 8.0.0 repeats a credit
 * (https://github.com/dependency-check/DependencyCheck/pull/5332).
 */
export function repeatedKey(text: string): string | undefined {
  const open: (Map<string, number> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at) ?? text.length;
      let next = afterBlanks(text, end + 1);
      if (text.charCodeAt(next) === colon) {
        const written = text.slice(at + 1, end);
        const key = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
        next = afterBlanks(text, next + 1);
        const values = open.at(-1);
        const first = values?.get(key);
        if (first === undefined) values?.set(key, next);
        else if (valueAt(text, first) !== valueAt(text, next)) return key;
      }
      at = next - 1;
    } else if (code === openBrace) open.push(new Map());
    else if (code === openBracket) open.push(undefined);
    else if (code === closeBrace || code === closeBracket) open.pop();
  }
  return undefined;
}

function afterBlanks(text: string, index: number): number {
  let at = index;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}

/** The value that begins at an index, as it is written. */
function valueAt(text: string, start: number): string {
  const code = text.charCodeAt(start);
  if (code === quote) return text.slice(start, (endOfString(text, start) ?? text.length) + 1);
  if (code === openBrace || code === openBracket) return text.slice(start, jsonSpanAt(text, start).end);
  scalar.lastIndex = start;
  return scalar.exec(text)?.[0] ?? "";
}

const scalar = /[\w.+-]*/y;

/**
 * Whether a text between JSON values holds the end of a value whose beginning is missing: a line that ends with a
 * bracket which the text does not open. Log lines close the brackets that they open, or go on after them.
 */
export function hasTornValue(text: string): boolean {
  let depth = 0;
  for (const line of text.split("\n")) {
    depth += depthOf(line);
    if (depth < 0 && /[\]}],?\s*$/.test(line)) return true;
    depth = Math.max(0, depth);
  }
  return false;
}

/** How many brackets a line opens more than it closes. A line with an odd number of quotes begins inside of a string. */
function depthOf(line: string): number {
  const parts = line.replace(/\\./g, "").split('"');
  const first = parts.length % 2 === 0 ? 1 : 0;
  let depth = 0;
  for (let index = first; index < parts.length; index += 2) {
    for (const bracket of parts[index]?.match(/[[\]{}]/g) ?? []) depth += bracket === "{" || bracket === "[" ? 1 : -1;
  }
  return depth;
}

/**
 * Reads as much as possible of a JSON value that is cut off or malformed: the longest beginning that is valid JSON once
 * its open brackets are closed. Undefined if there is none.
 */
export function beginningOfValue(text: string): unknown {
  const prefixes = prefixesOf(text);
  let known: unknown;
  // If a beginning is malformed, every longer one is malformed too. So the longest valid one is found by bisection.
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

/** The places at which a JSON value can be cut, each with the brackets that close it there. */
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
      if (closing.length === maxNesting) return prefixes;
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

/** The value of a JSON text. Undefined if it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
