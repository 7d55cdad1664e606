import { own } from "./own.ts";
import { isObject } from "./shape.ts";
import { timeIn } from "./time-text.ts";

/** Where the reports of a format state when the tool ran. */
export interface StatedTime {
  /**
   * The fields, the most exact first: of each JSON record those that hold no time are passed over.
   *
   * - `a.b[].c` is a field of a JSON record, where `[]` follows a list, and `*` is a key of any name
   * - `@a` is an attribute of the XML root element
   * - any other field is one whose values the reader returns as `times`
   */
  readonly fields: readonly string[];
  /** The zone of a time that names none, where the format defines it. */
  readonly zone?: "UTC";
}

/** How far the clock of a tool may be ahead, in milliseconds. */
const longestAhead = 300_000;
/** No tool whose reports are read is older. An earlier time, such as the epoch, is the default of a clock or a field. */
const earliest = Date.UTC(2000);

/**
 * Collects the times that a report states while it is read. The report is as old as its oldest part, so the earliest time
 * counts. No value makes it fail: what holds no time that can be is left out, and a note says so.
 */
export class StatedTimes {
  readonly #stated: StatedTime;
  readonly #latest: number;
  readonly #notes = new Set<string>();
  #earliest = Number.POSITIVE_INFINITY;

  /** @param now the present, in milliseconds since 1970 */
  constructor(stated: StatedTime | "none", now: number) {
    this.#stated = stated === "none" ? { fields: [] } : stated;
    this.#latest = now + longestAhead;
  }

  /** The earliest time (RFC 3339, in UTC). Undefined if there is none. */
  get measuredAt(): string | undefined {
    return Number.isFinite(this.#earliest) ? new Date(this.#earliest).toISOString() : undefined;
  }

  /** What was taken for granted of a time, or why it is left out. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** Adds the times of a JSON record. */
  addRecord(record: unknown): void {
    this.#addFirst((field) => valuesAt(record, field.split(".")));
  }

  /** Adds the times of the root element of an XML report. */
  addRoot(attributes: Readonly<Record<string, string>>): void {
    this.#addFirst((field) => (field.startsWith("@") ? [own(attributes, field.slice(1))] : []));
  }

  /** Adds values of the first field. */
  addValues(values: readonly unknown[]): void {
    const [field] = this.#stated.fields;
    for (const value of values) if (field !== undefined) this.#add(value, field);
  }

  /** Adds the values of the first field that holds a time. */
  #addFirst(valuesOf: (field: string) => Iterable<unknown>): void {
    for (const field of this.#stated.fields) {
      let holds = false;
      for (const value of valuesOf(field)) if (this.#add(value, field)) holds = true;
      if (holds) return;
    }
  }

  /** @returns whether the value holds a time that counts */
  #add(value: unknown, field: string): boolean {
    if (value === undefined || value === null || value === "") return false;
    const time = timeIn(value);
    const fault = time === undefined ? "no time that can be read" : this.#faultOf(time.at);
    if (time === undefined || fault !== undefined) {
      this.#notes.add(`${field} holds ${fault}, which does not count`);
      return false;
    }
    if (!time.hasZone && this.#stated.zone === undefined) {
      this.#notes.add(`${field} names no time zone that is known, so it is taken for UTC`);
    }
    this.#earliest = Math.min(this.#earliest, time.at);
    return true;
  }

  #faultOf(at: number): string | undefined {
    if (at < earliest) return "a time before 2000";
    return at > this.#latest ? "a time in the future" : undefined;
  }
}

/** The values at a path in JSON. */
function* valuesAt(value: unknown, [key, ...rest]: readonly string[]): Generator<unknown> {
  if (key === undefined) yield value;
  else if (isObject(value)) {
    const name = key.replace("[]", "");
    const found = name === "*" ? Object.values(value) : [own(value, name)];
    const values = name === key ? found : found.filter(Array.isArray).flat();
    for (const each of values) yield* valuesAt(each, rest);
  }
}
