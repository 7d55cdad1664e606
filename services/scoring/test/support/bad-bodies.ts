import { gzipSync } from "node:zlib";
import type { Payload, Refusal } from "./requests.ts";

/** A request that must be refused. */
export interface BadRequest extends Refusal {
  readonly name: string;
  readonly payload: Payload;
  readonly headers?: Readonly<Record<string, string>>;
}

export const mebibyte = 1_048_576;

const whole = { paths: [""] };
const tooLarge = { status: 413, code: "payload-too-large", message: /1 MiB/ };
const wrongType = { status: 415, code: "unsupported-media-type", message: /application\/json/ };

/** Bodies that are wrong as bodies, whatever the endpoint. @param good one that it accepts */
export function badBodies(good: object): BadRequest[] {
  const text = JSON.stringify(good);
  const gzip = { "content-type": "application/json", "content-encoding": "gzip" };
  return [
    { name: "an empty body", payload: "", ...whole, message: /empty/ },
    { name: "a blank body", payload: " \n", ...whole, message: /empty/ },
    { name: "an empty list", payload: "[]", ...whole, message: /must be a JSON object/ },
    { name: "a list of bodies", payload: `[${text}]`, ...whole, message: /must be a JSON object/ },
    { name: "null", payload: "null", ...whole, message: /must be a JSON object/ },
    { name: "a text", payload: '"text"', ...whole, message: /must be a JSON object/ },
    { name: "a number", payload: "42", ...whole, message: /must be a JSON object/ },
    { name: "truncated JSON", payload: text.slice(0, -1), ...whole, message: /not valid JSON/ },
    { name: "JSON with something behind it", payload: `${text}x`, ...whole, message: /not valid JSON/ },
    { name: "NaN as a value", payload: text.replace(/\d+/, "NaN"), ...whole, message: /not valid JSON/ },
    { name: "a trailing comma", payload: text.replace(/}$/, ",}"), ...whole, message: /not valid JSON/ },
    { name: "a form", payload: "area=shop&team=checkout", ...whole, message: /not valid JSON/ },
    { name: "a list nested 500,000 deep", payload: "[".repeat(500_000) + "]".repeat(500_000), ...whole },
    { name: "an unfinished list nested 500,000 deep", payload: "[".repeat(500_000), ...whole },
    { name: "40,000 unknown fields", payload: manyFields(text), ...whole, message: /more than 100 fields/ },
    { name: "__proto__ at the top", payload: text.replace("{", '{"__proto__":{"count":1},'), ...whole },
    { name: "an escaped __proto__", payload: text.replace("{", '{"\\u005f_proto__":{},'), ...whole },
    {
      name: "bytes that are not UTF-8",
      payload: Buffer.from([...Buffer.from(text), 0xff]),
      ...whole,
      message: /UTF-8/,
    },
    { name: "Latin-1", payload: Buffer.from(text.replace("shop", "caf\u00e9"), "latin1"), ...whole, message: /UTF-8/ },
    { name: "UTF-16", payload: Buffer.from(text, "utf16le"), ...whole },
    { name: "a body of 2 MiB", payload: text.padEnd(2 * mebibyte), ...tooLarge },
    { name: "a body of one byte over 1 MiB", payload: text.padEnd(mebibyte + 1), ...tooLarge },
    { name: "a zip bomb", payload: gzipSync(text.padEnd(100 * mebibyte)), headers: gzip, ...tooLarge },
    { name: "broken gzip", payload: text, headers: gzip, paths: [""], message: /compressed/ },
    ...["br", "zstd", "compress", "gzip, gzip", "constructor", "utf-8"].map((encoding) => ({
      name: `content-encoding ${encoding}`,
      payload: text,
      headers: { "content-type": "application/json", "content-encoding": encoding },
      ...wrongType,
      message: /content-encoding .* send the body as gzip, as deflate or not compressed/,
    })),
    { name: "no content type", payload: text, headers: {}, ...wrongType },
    { name: "text/plain", payload: text, headers: { "content-type": "text/plain" }, ...wrongType },
    {
      name: "a form type",
      payload: text,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      ...wrongType,
    },
    { name: "another JSON type", payload: text, headers: { "content-type": "application/vnd.api+json" }, ...wrongType },
    { name: "a content type that is none", payload: text, headers: { "content-type": "json" }, ...wrongType },
  ];
}

/** The body with 40,000 fields more. */
function manyFields(text: string): string {
  const fields = Array.from({ length: 40_000 }, (_, index) => `"${index.toString(36)}":0`);
  return text.replace("{", `{${fields.join()},`);
}

const badNames: Readonly<Record<string, unknown>> = {
  null: null,
  "a number": 1,
  "a flag": true,
  "an object": {},
  "a list": ["shop"],
  empty: "",
  "a blank": " ",
  "with a blank before": " a",
  "with a blank behind": "a ",
  "with a tab behind": "a\t",
  "with a no-break space before": "\u00a0a",
  "with an ideographic space behind": "a\u3000",
  "with a byte order mark before": "\ufeffa",
  "with NUL": "a\u0000b",
  "with a line feed": "a\nb",
  "with a carriage return": "a\rb",
  "with U+001F": "a\u001fb",
  "with DEL": "a\u007fb",
  "with U+0085": "a\u0085b",
  "with U+009F": "a\u009fb",
  "with a high surrogate alone": "a\ud800",
  "with a low surrogate alone": "\udc00a",
  "with a zero-width space": "a\u200bb",
  "with a soft hyphen": "a\u00adb",
  "of a Hangul filler": "\u3164",
  "of the blank of Braille": "\u2800",
  "with an emoji's variation selector": "\u2764\ufe0f",
  "with a no-break space within": "a\u00a0b",
  "with a line separator": "a\u2028b",
  "with private use": "a\ue000",
  "with a noncharacter": "a\uffff",
  "with surrogates in the wrong order": "\udc00\ud800",
};

/** Each wrong value in each of the fields that take a name. @param fields with the most characters each takes */
export function badFieldNames(good: object, fields: Readonly<Record<string, number>>): BadRequest[] {
  return Object.entries(fields).flatMap(([field, maximum]) => {
    const wrong = {
      ...badNames,
      [`of ${maximum + 1} letters`]: "a".repeat(maximum + 1),
      [`of ${maximum + 1} emoji`]: "\u{1f600}".repeat(maximum + 1),
    };
    return Object.entries(wrong).map(([name, value]) => ({
      name: `${field} ${name}`,
      payload: { ...good, [field]: value },
      paths: [field],
    }));
  });
}

/** Each of the fields left out. */
export function missingFields(good: object, fields: readonly string[]): BadRequest[] {
  return fields.map((field) => {
    const { [field]: _, ...payload } = good as Record<string, unknown>;
    return { name: `without ${field}`, payload, paths: [field], message: new RegExp(`^${field} is required$`) };
  });
}
