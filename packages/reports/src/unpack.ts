import { unreadable } from "./errors.ts";

/** Bytes that a gzip file may unpack to: more than any report has, and no more than the memory bears. */
const maxUnpacked = 268_435_456;

/** Whether the bytes begin as a gzip file does, RFC 1952, 2.3.1. */
export function isGzip([first, second, method]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8;
}

/**
 * What a gzip file holds, its checksum verified.
 *
 * @throws ReportError when it is cut off, damaged or unpacks to more than 256 MiB, and where there is no Node to unpack it
 */
export function unpack(bytes: Uint8Array): Uint8Array {
  // Not imported, so that everything else works where there is no Node.
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
