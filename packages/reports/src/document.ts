import { unreadable } from "./errors.ts";
import { beginningOfValue, type JsonSpan, jsonSpans } from "./json.ts";
import { xmlRoot } from "./xml.ts";

/** How tools write that they found nothing, where that does not tell which tool it was. */
export type EmptyForm = "0 bytes" | "null" | "[]" | '{"results":[]}';

const headLength = 20;
const headCharacters = 65_536;

/** A report as text, before its format is known. Everything is worked out when it is first asked for. */
export class Document {
  readonly text: string;
  readonly #isWhole: boolean;
  #head: readonly unknown[] | undefined;
  #whole: { value: unknown } | "several" | undefined;
  #root: { value: ReturnType<typeof xmlRoot> } | undefined;
  #surrounded = false;
  #repeated = false;
  #damaged = false;

  /** @param isWhole whether the text is all of the file, and not its beginning alone */
  constructor(text: string, isWhole = true) {
    this.text = text;
    this.#isWhole = isWhole;
  }

  /** Which of the empty forms this is, if any. */
  get empty(): EmptyForm | undefined {
    if (!this.#isWhole || this.text.length > headCharacters) return undefined;
    const text = this.text.trim();
    if (text === "") return "0 bytes";
    if (text === "null") return "null";
    if (/^\[\s*\]$/.test(text)) return "[]";
    return /^\{\s*"results"\s*:\s*(?:null|\[\s*\])\s*\}$/.test(text) ? '{"results":[]}' : undefined;
  }

  /**
   * The first JSON records, at most 20, for a look at the format. Of a file that is cut off the last one goes as far as
   * it goes. Empty when there is no JSON; what stands in the comments and texts of XML is none.
   */
  get head(): readonly unknown[] {
    this.#head ??= this.#readHead();
    return this.#head;
  }

  /** Whether one of the records in `head` is cut off or malformed; of a mere beginning nobody can tell. */
  get damaged(): boolean {
    this.#head ??= this.#readHead();
    return this.#damaged && this.#isWhole;
  }

  /** Name and attributes of the XML root element; undefined when the text is no XML. */
  get root(): ReturnType<typeof xmlRoot> {
    this.#root ??= { value: xmlRoot(this.text) };
    return this.#root.value;
  }

  /** Whether `records` left out text around the JSON, such as a tool's error output. */
  get surrounded(): boolean {
    return this.#surrounded;
  }

  /** Whether `records` met the first JSON value of several again: the file was put after itself. */
  get repeated(): boolean {
    return this.#repeated;
  }

  /**
   * The JSON records of the file: its top-level values, lists opened. So one object, a list of objects, an object a line
   * and one file after the other all look the same. An empty form has none.
   *
   * @throws ReportError when a value is cut off or malformed
   */
  *records(): Generator<unknown> {
    if (this.empty) return;
    const whole = this.#parseWhole();
    if (whole !== "several") {
      yield* opened(whole.value);
      return;
    }
    let from = 0;
    let first: string | undefined;
    for (const span of jsonSpans(this.text)) {
      this.#surrounded ||= this.text.slice(from, span.start).trim() !== "";
      const value = this.text.slice(span.start, span.end);
      this.#repeated ||= value === first;
      first ??= value;
      yield* opened(this.#parse(span));
      from = span.end ?? this.text.length;
    }
    this.#surrounded ||= this.text.slice(from).trim() !== "";
  }

  /** The lines, without their ends, one after the other. */
  *lines(): Generator<string> {
    let start = 0;
    while (start < this.text.length) {
      const newline = this.text.indexOf("\n", start);
      const end = newline === -1 ? this.text.length : newline;
      yield this.text.slice(start, this.text[end - 1] === "\r" ? end - 1 : end);
      start = end + 1;
    }
  }

  #parseWhole(): { value: unknown } | "several" {
    this.#whole ??= /^\s*[[{]/.test(this.text) ? parseOr(this.text, "several") : "several";
    return this.#whole;
  }

  #parse({ start, end }: JsonSpan): unknown {
    if (end === undefined)
      throw unreadable(`is cut off: the JSON value that begins in ${this.#line(start)} does not end`);
    const result = parseOr(this.text.slice(start, end), "malformed");
    if (result === "malformed") throw unreadable(`is not valid JSON in the value that begins in ${this.#line(start)}`);
    return result.value;
  }

  #line(index: number): string {
    let line = 1;
    for (let at = this.text.indexOf("\n"); at !== -1 && at < index; at = this.text.indexOf("\n", at + 1)) line++;
    return `line ${line}`;
  }

  #readHead(): readonly unknown[] {
    if (this.root) return [];
    const whole = this.#parseWhole();
    if (whole !== "several") return opened(whole.value).slice(0, headLength);
    const head: unknown[] = [];
    for (const { start, end } of jsonSpans(this.text)) {
      const result = end === undefined ? "cut off" : parseOr(this.text.slice(start, end), "malformed");
      const value =
        typeof result === "string" ? beginningOfValue(this.text.slice(start, start + headCharacters)) : result.value;
      this.#damaged ||= typeof result === "string";
      if (value !== undefined) head.push(...opened(value).slice(0, headLength - head.length));
      if (head.length >= headLength) break;
    }
    return head;
  }
}

function opened(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function parseOr<Failure extends string>(text: string, failure: Failure): { value: unknown } | Failure {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return failure;
  }
}
