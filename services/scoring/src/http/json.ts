import Bourne from "@hapi/bourne";
import { type Fault, maxEntries } from "@maturity/core";
import { invalidPayload } from "../model/errors.ts";
import { holdsTooMany, maxFields, tooManyFields } from "../model/limits.ts";
import { slice } from "./slices.ts";

/**
 * Parses the JSON object of a body in slices, because parsing a mebibyte at once would block the event loop for up to
 * 100 ms. The entries of lists are parsed one by one. A body with far too many values is not parsed at all.
 *
 * @throws ServiceError `invalid-payload` if the body is empty, is not a JSON object, has a `__proto__` key or too many
 * values
 */
export async function parseObject(text: string): Promise<Record<string, unknown>> {
  if (text.trim() === "") throw refused("the body is empty; send a JSON object");
  const { frame, entries } = text.length <= maxUncut ? { frame: text, entries: [] } : cutLists(text);
  const object = parse(frame, text);
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw refused(noObject);
  }
  const fault = tooManyFields(object, "");
  if (fault) throw invalidPayload([fault]);
  if (entries.length === 0) return object as Record<string, unknown>;
  const parsed: unknown[] = [];
  for (const entry of entries) {
    await slice();
    parsed.push(parse(entry, text));
  }
  const filled = Object.entries(object).map(([field, value]) => [
    field,
    Array.isArray(value) ? value.map((index) => parsed[index]) : value,
  ]);
  return Object.fromEntries(filled);
}

const noObject = "the body must be a JSON object";

/**
 * A text up to this length needs no cutting: each value takes two or more characters, so it can hold neither too long a
 * list nor too many values.
 */
const maxUncut = 2 * maxEntries;

/** Up to this length the whole text is parsed again to find the position of a syntax error. */
const maxLocated = 65_536;

/** @param whole the text that the part was cut from */
function parse(part: string, whole: string): unknown {
  try {
    return Bourne.parse(part);
  } catch (error) {
    throw whole.length <= maxLocated ? fault(whole, error) : refused(faultOf(error));
  }
}

/** The error of the whole text, or of the part if the whole is valid JSON. */
function fault(whole: string, ofPart: unknown): Error {
  try {
    Bourne.parse(whole);
    return refused(faultOf(ofPart));
  } catch (error) {
    return refused(faultOf(error));
  }
}

function faultOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.includes("forbidden prototype")
    ? "the body must not have the key __proto__"
    : `the body is not valid JSON: ${reason}`;
}

function refused(message: string, path = ""): Error {
  return invalidPayload([{ path, message }]);
}

/**
 * A JSON object in which each entry of a list is replaced by a number, and the texts of these entries. Each of these
 * texts is JSON if the whole is.
 */
interface Cut {
  readonly frame: string;
  readonly entries: readonly string[];
}

/**
 * Limit of values in the frame or in one entry. No good body comes near it; it leaves room for bodies whose faults are
 * named one by one.
 */
const maxValues = 10_000;

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}');

/** Cuts out the entries of all lists that are fields of a JSON object. */
function cutLists(text: string): Cut {
  const frame: string[] = [];
  const entries: string[] = [];
  let depth = 0;
  let from = 0;
  let field = "";
  let frameValues = 0;
  let entryValues = 0;
  /** Index of the entry being read; -1 outside of lists. */
  let index = -1;

  const cutBefore = (at: number) => {
    const entry = text.slice(from, at);
    const isOnly = index === 0 && text.charCodeAt(at) !== comma;
    if (!isOnly || entry.trim() !== "") {
      frame.push(String(entries.length));
      entries.push(entry);
    }
    from = at;
  };
  const count = () => {
    const values = index < 0 ? ++frameValues : ++entryValues;
    if (values > maxValues) throw invalidPayload([tooMany()]);
  };
  const tooMany = (): Fault => {
    if (!text.trimStart().startsWith("{")) return { path: "", message: noObject };
    if (index >= 0) return holdsTooMany(`${field}[${index}]`);
    return depth < 2 ? { path: "", message: `has more than ${maxFields} fields` } : holdsTooMany(field);
  };
  const beginEntry = (at: number) => {
    frame.push(text.slice(from, at));
    from = at;
    entryValues = 0;
    if (++index >= maxEntries) throw refused(`must have at most ${maxEntries.toLocaleString("en")} entries`, field);
  };

  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfText(text, at);
        if (depth === 1) field = text.slice(at + 1, end);
        at = end;
        break;
      }
      case openList:
        count();
        if (++depth === 2) beginEntry(at + 1);
        break;
      case openObject:
        count();
        depth++;
        break;
      case closeList:
      case closeObject:
        if (depth === 2 && index >= 0) {
          cutBefore(at);
          index = -1;
        }
        depth--;
        break;
      case comma:
        if (depth === 2 && index >= 0) {
          cutBefore(at);
          beginEntry(at + 1);
        } else count();
    }
  }
  frame.push(text.slice(from));
  return { frame: frame.join(""), entries };
}

/** The position of the quote that ends the text starting here. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
  return text.length;
}
