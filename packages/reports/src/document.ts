import { unreadable } from "./errors.ts";
import {
  beginningOfValue,
  hasTornValue,
  type JsonSpan,
  jsonSpanAt,
  jsonSpans,
  maxNesting,
  repeatedKey,
} from "./json.ts";
import { printable } from "./mask.ts";
import { xmlRoot } from "./xml.ts";

/** Ways in which several tools write that they found nothing. They do not show which tool it was. `blank` is white space or nothing. */
export type EmptyForm = "blank" | "null" | "[]" | '{"results":[]}';

/** Most records in `head`. */
const headLength = 20;
/** Most characters of a damaged record that are examined. */
const headCharacters = 65_536;

/** The text of a report, before its format is known. The text is parsed only when a property needs it. */
export class Document {
  readonly text: string;
  readonly #isWhole: boolean;
  #head: readonly unknown[] | undefined;
  #whole: { value: unknown } | "several" | undefined;
  #root: { value: ReturnType<typeof xmlRoot> } | undefined;
  #surrounded = false;
  #repeated = 0;
  #damaged = false;
  #visit: ((record: unknown) => void) | undefined;

  /** @param isWhole whether the text is the whole file, and not only its beginning */
  constructor(text: string, isWhole = true) {
    this.text = text;
    this.#isWhole = isWhole;
  }

  /** The empty form of this text; undefined if it has any other content. */
  get empty(): EmptyForm | undefined {
    if (!this.#isWhole || this.text.length > headCharacters) return undefined;
    const text = this.text.trim();
    if (text === "") return "blank";
    if (text === "null") return "null";
    if (/^\[\s*\]$/.test(text)) return "[]";
    return /^\{\s*"results"\s*:\s*(?:null|\[\s*\])\s*\}$/.test(text) ? '{"results":[]}' : undefined;
  }

  /**
   * The first JSON records, at most 20, to recognize the format by. If a record is cut off or malformed, it has what
   * can be read of it. Empty if there is no JSON. JSON inside of XML does not count.
   */
  get head(): readonly unknown[] {
    this.#head ??= this.#readHead();
    return this.#head;
  }

  /** Whether a record in `head` is cut off, malformed or nested too deep. Always false if this is only the beginning of a file. */
  get damaged(): boolean {
    this.#head ??= this.#readHead();
    return this.#damaged && this.#isWhole;
  }

  /** Name and attributes of the XML root element. Undefined if the text is no XML. */
  get root(): ReturnType<typeof xmlRoot> {
    this.#root ??= { value: xmlRoot(this.text) };
    return this.#root.value;
  }

  /** Whether `records` has left out text around the JSON, such as error messages of the tool. */
  get surrounded(): boolean {
    return this.#surrounded;
  }

  /** How many records `records` has left out, because an equal one stands before them. */
  get repeated(): number {
    return this.#repeated;
  }

  /**
   * The JSON records of the file: its top-level values, and in place of a top-level list its entries. So a reader need
   * not distinguish an object, a list of objects, an object on each line, and several files in one. An empty form has
   * none. Of equal records only the first one is given, because they are copies.
   *
   * @param equal whether equal records are given too
   * @throws ReportError if a value is cut off, malformed or nested too deep, or has a key twice in one object with two values
   */
  *records(equal: "once" | "each" = "once"): Generator<unknown> {
    this.#repeated = 0;
    const whole = this.#parseWhole();
    const isOne = whole !== "several" && !Array.isArray(whole.value);
    const seen = equal === "each" || isOne ? undefined : new Set<string>();
    for (const record of this.#allRecords()) {
      const written = seen && JSON.stringify(record);
      if (written !== undefined && seen?.has(written)) {
        this.#repeated++;
        continue;
      }
      if (written !== undefined) seen?.add(written);
      this.#visit?.(record);
      yield record;
    }
  }

  /** Calls a function with each record that `records` gives. */
  onRecord(visit: (record: unknown) => void): void {
    this.#visit = visit;
  }

  *#allRecords(): Generator<unknown> {
    if (this.empty) return;
    const whole = this.#parseWhole();
    if (whole !== "several") {
      refuseRepeatedKey(this.text);
      yield* opened(whole.value);
      return;
    }
    let from = 0;
    for (const span of jsonSpans(this.text)) {
      this.#passOver(from, span.start);
      yield* opened(this.#parse(span));
      from = span.end ?? this.text.length;
    }
    this.#passOver(from, this.text.length);
  }

  /** @throws ReportError if the text between JSON values is the rest of one */
  #passOver(from: number, to: number): void {
    const text = this.text.slice(from, to).trim();
    if (text === "") return;
    this.#surrounded = true;
    if (hasTornValue(text)) {
      throw unreadable(`is cut off: between ${this.#line(from)} and ${this.#line(to)} a JSON value has no beginning`);
    }
  }

  /** The lines without their line ends. */
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
    this.#whole ??= this.#isOneValue() ? parseOr(this.text, "several") : "several";
    return this.#whole;
  }

  /** Whether the text is an object or a list and nothing else, and nested no deeper than it may be. */
  #isOneValue(): boolean {
    const [blanks] = /^\s*(?=[[{])/.exec(this.text) ?? [];
    if (blanks === undefined) return false;
    const { end } = jsonSpanAt(this.text, blanks.length);
    return end !== undefined && this.text.slice(end).trim() === "";
  }

  #parse({ start, end, isTooDeep }: JsonSpan): unknown {
    if (isTooDeep)
      throw unreadable(`is nested more than ${maxNesting} deep in the value that begins in ${this.#line(start)}`);
    if (end === undefined)
      throw unreadable(`is cut off: the JSON value that begins in ${this.#line(start)} does not end`);
    const value = this.text.slice(start, end);
    const result = parseOr(value, "malformed");
    if (result === "malformed") throw unreadable(`is not valid JSON in the value that begins in ${this.#line(start)}`);
    refuseRepeatedKey(value);
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

/** @throws ReportError if a key stands twice in one object with two values, because nothing says which is meant */
function refuseRepeatedKey(text: string): void {
  const key = repeatedKey(text);
  if (key !== undefined) throw unreadable(`has the key ${printable(key, maxKey)} twice in one object, with two values`);
}

/** Most characters of a key in a message. */
const maxKey = 100;

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
