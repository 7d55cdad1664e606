import type { Readable } from "node:stream";
import type { Request, RouteOptionsPayload } from "@hapi/hapi";
import rawBody from "raw-body";
import { invalidPayload, payloadTooLarge } from "../errors.ts";
import { maxBytes } from "../limits.ts";
import { type Place, placeOf } from "../overload.ts";
import { parseObject } from "./json.ts";

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
 * A handler that is given the JSON object of the body, and works on it while there is a place for it. Of a key that stands
 * twice the last value counts, as everywhere in JavaScript. For routes with `jsonPayload`.
 *
 * @throws ServiceError `payload-too-large`; `overloaded`; `invalid-payload` when it is cut off, no UTF-8, no JSON, no
 * object, has a `__proto__` key or far too many fields
 */
export function handleObject(
  handle: (body: Record<string, unknown>, request: Request) => Promise<object>,
): (request: Request) => Promise<object> {
  return async (request) => {
    const place = placeOf(request.raw.req);
    const bytes = await receive(request.payload as Readable, place);
    await place.begin();
    try {
      return await handle(await parseObject(decode(bytes)), request);
    } finally {
      place.end();
    }
  };
}

async function receive(stream: Readable, place: Place): Promise<Uint8Array> {
  stream.on("data", ({ length }: Uint8Array) => place.grow(length));
  try {
    return await rawBody(stream, { limit: maxBytes });
  } catch (error) {
    if (error instanceof Error && "type" in error && error.type === "entity.too.large") throw payloadTooLarge();
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidPayload([{ path: "", message: `the body cannot be read: ${reason}` }]);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidPayload([{ path: "", message: "the body is not valid UTF-8" }]);
  }
}
