import type { Readable, Transform } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import type { Request, ResponseToolkit, RouteOptionsAccess, RouteOptionsPayload, ServerRoute } from "@hapi/hapi";
import { maxBodyBytes } from "@maturity/core/wire";
import rawBody from "raw-body";
import { invalidPayload, payloadTooLarge, ServiceError } from "../model/errors.ts";
import type { Operation } from "../openapi/operation.ts";
import { deadlineOf } from "./deadline.ts";
import { parseObject } from "./json.ts";
import { type Slot, slotOf } from "./limits.ts";

/** Bodies are read here. hapi's own reader would make a request a third more expensive. */
export const jsonPayload: RouteOptionsPayload = {
  output: "stream",
  parse: false,
  allow: "application/json",
  defaultContentType: "application/octet-stream",
  maxBytes: maxBodyBytes,
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

type HandleObject = (body: Record<string, unknown>, request: Request, h: ResponseToolkit) => Promise<object>;

/** Makes a route that takes a JSON object. @param handle as of `handleObject` */
export function bodyRoute(
  name: `${"POST" | "PUT" | "PATCH"} /${string}`,
  options: { readonly auth: RouteOptionsAccess; readonly openapi: Operation; readonly isLong?: boolean },
  handle: HandleObject,
): ServerRoute {
  const { auth, openapi, isLong = false } = options;
  const [method, path] = name.split(" ") as ["POST" | "PUT" | "PATCH", string];
  // While long work goes on, nothing moves on the connection.
  const timeout = isLong && { timeout: { socket: false as const } };
  const handler = handleObject(handle);
  return { method, path, options: { auth, payload: jsonPayload, plugins: { openapi }, ...timeout }, handler };
}

/** For routes that take no body: what comes is not read. */
export const noPayload = { parse: false, output: "stream" } as const;

/** Makes a route that takes no body, and does its work in the slot of a request that writes. */
export function bodilessRoute(
  path: string,
  { auth, openapi }: { readonly auth: RouteOptionsAccess; readonly openapi: Operation },
  work: (request: Request) => Promise<object>,
): ServerRoute {
  const options = { auth, payload: noPayload, plugins: { openapi } };
  return { method: "DELETE", path, options, handler: (request) => inSlot(request, () => work(request)) };
}

/** Does work in the slot of a request that writes. */
export async function inSlot<Done>({ raw }: Request, work: () => Promise<Done>): Promise<Done> {
  const slot = slotOf(raw.req);
  await slot.begin();
  try {
    return await work();
  } finally {
    slot.end();
  }
}

/**
 * Makes a handler that gets the JSON object of the body, once there is a slot. The last value of a repeated key counts.
 * For routes with `jsonPayload`.
 *
 * @throws ServiceError `payload-too-large`; `overloaded`; `unsupported-media-type` for an unknown compression;
 * `invalid-payload` if the body is cut off, is not UTF-8, is not a JSON object, has a `__proto__` key or far too many
 * values
 */
export function handleObject(handle: HandleObject): (request: Request, h: ResponseToolkit) => Promise<object> {
  return async (request, h) => {
    const slot = slotOf(request.raw.req);
    const deadline = deadlineOf(request.raw.req);
    deadline.hold(); // the body comes at the caller's pace
    const bytes = await receive(unpacked(request), slot);
    deadline.go();
    await slot.begin();
    try {
      return await handle(parseObject(decode(bytes)), request, h);
    } finally {
      slot.end();
    }
  };
}

const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
]);

/** Unpacks a compressed body. hapi would pass on an unknown compression, and the error would blame the encoding. */
function unpacked({ payload, raw }: Request): Readable {
  const packed = payload as Readable;
  const encoding = (raw.req.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return packed;
  const unpacker = unpackers.get(encoding)?.();
  if (!unpacker) {
    const message = `content-encoding ${JSON.stringify(encoding)} is not known here; send the body as gzip, as deflate or not compressed`;
    throw new ServiceError("unsupported-media-type", message, { headers: { "accept-encoding": "gzip, deflate" } });
  }
  packed.once("error", (error) => unpacker.destroy(error));
  return packed.pipe(unpacker);
}

async function receive(stream: Readable, slot: Slot): Promise<Uint8Array> {
  stream.on("data", ({ length }: Uint8Array) => slot.grow(length));
  try {
    return await rawBody(stream, { limit: maxBodyBytes });
  } catch (error) {
    if (error instanceof Error && "type" in error && error.type === "entity.too.large") throw payloadTooLarge();
    const reason = error instanceof Error ? error.message : String(error);
    const isPacked = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    const what = isPacked ? "the compressed body" : "the body";
    throw invalidPayload([{ path: "", message: `${what} cannot be read: ${reason}` }]);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const message = isGzip
      ? "the body is compressed with gzip once more than content-encoding says"
      : "the body is not valid UTF-8";
    throw invalidPayload([{ path: "", message }]);
  }
}
