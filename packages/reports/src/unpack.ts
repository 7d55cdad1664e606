import { unreadable } from "./errors.ts";

/** Most bytes that a gzip file may unpack to. No report needs more, and memory is limited. */
const maxUnpacked = 268_435_456;

/** Whether bytes begin like a gzip file (RFC 1952, section 2.3.1). */
export function isGzip([first, second, method]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8;
}

/**
 * Unpacks a gzip file and verifies its checksum.
 *
 * @throws ReportError if it is cut off, damaged or larger than 256 MiB when unpacked. Also if this is not running in
 * Node.
 */
export function unpack(bytes: Uint8Array): Uint8Array {
  // An import would break this package in browsers.
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (!zlib) throw unreadable("the report is a gzip file: unpack it first");
  try {
    return zlib.gunzipSync(bytes, { maxOutputLength: maxUnpacked });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw unreadable(
      `the report is a gzip file that ${isTooLarge ? "unpacks to more than 256 MiB" : "is cut off or damaged"}`,
    );
  }
}
