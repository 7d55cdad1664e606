import type { Readable } from "node:stream";
import Bourne from "@hapi/bourne";
import type { RouteOptionsPayload } from "@hapi/hapi";
import rawBody from "raw-body";
import { invalidPayload, payloadTooLarge } from "../errors.ts";
import { shortened } from "../fields.ts";

const maxBytes = 1_048_576;

/** Bodies are read here as they come in: piped through hapi's own reader, a request costs a third more time. */
export const jsonPayload: RouteOptionsPayload = {
  output: "stream",
  parse: "gunzip",
  allow: "application/json",
  defaultContentType: "application/octet-stream",
  maxBytes,
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON object. Of a key that stands twice the last value counts, as everywhere in JavaScript.
 *
 * @param payload the stream that `jsonPayload` gives
 * @throws ServiceError `payload-too-large`; `invalid-payload` when it is cut off, no UTF-8, no JSON, no object, has a
 * `__proto__` key or far too many fields
 */
export async function readObject(payload: unknown): Promise<Record<string, unknown>> {
  const value = parse(decode(await receive(payload as Readable)));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidPayload([{ path: "", message: "the body must be a JSON object" }]);
  }
  limitFields(value, "");
  return value as Record<string, unknown>;
}

async function receive(stream: Readable): Promise<Uint8Array> {
  try {
    return await rawBody(stream, { limit: maxBytes });
  } catch (error) {
    if (error instanceof Error && "type" in error && error.type === "entity.too.large") throw payloadTooLarge();
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidPayload([{ path: "", message: `the body cannot be read: ${reason}` }]);
  }
}

const maxFields = 100;

/**
 * Keeps out objects with many times the fields that any has here: to list what is wrong with 100,000 takes long.
 *
 * @throws ServiceError `invalid-payload`
 */
export function limitFields(value: object, path: string): void {
  if (Object.keys(value).length > maxFields) {
    throw invalidPayload([{ path, message: `has more than ${maxFields} fields` }]);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidPayload([{ path: "", message: "the body is not valid UTF-8" }]);
  }
}

function parse(text: string): unknown {
  if (text.trim() === "") throw invalidPayload([{ path: "", message: "the body is empty; send a JSON object" }]);
  try {
    return Bourne.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidPayload([{ path: "", message: `the body is not valid JSON: ${reason}` }]);
  }
}

const maxDepth = 32;

/**
 * The first thing in a JSON value that the store cannot keep as it is, as path and problem: a NUL or a lone surrogate in
 * a text or key, a number too large for a double, or nesting deeper than 32 levels.
 */
export function unstorable(value: unknown, path: string, depth = 0): { path: string; message: string } | undefined {
  const here = (message: string) => ({ path: shortened(path), message });
  if (typeof value === "string" && !isStorable(value)) return here("must not hold NUL characters or lone surrogates");
  if (typeof value === "number" && !Number.isFinite(value)) return here("is too large a number");
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === maxDepth) return here(`nests deeper than ${maxDepth} levels`);
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key)) return here("must not have keys with NUL characters or lone surrogates");
    const fault = unstorable(child, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
