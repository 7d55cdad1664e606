import { isUtf8 } from "node:buffer";

/** Bytes that are no UTF-8 are represented by U+DC80 to U+DCFF, which valid text never contains. */
const firstStandIn = 0xdc00;
const standIn = /[\udc80-\udcff]/u;

/**
 * Turns the name of a file, as it is on disk, into text. Names can have any bytes. Each byte that is no UTF-8 becomes
 * one of U+DC80 to U+DCFF, as in Python. So different names have different texts, and `pathBytes` can restore the
 * bytes.
 */
export function nameOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((length) => isUtf8(bytes.subarray(at, at + length)));
    name += length === undefined ? standInOf(bytes[at]) : bytes.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return name;
}

/** Turns a path of such names back into what the system expects. */
export function pathBytes(path: string): string | Buffer {
  if (!standIn.test(path)) return path;
  return Buffer.concat([...path].map(bytesOf));
}

/** The bytes of one character of such a text. */
export function bytesOf(character: string): Buffer {
  return standIn.test(character) ? Buffer.of(character.charCodeAt(0) - firstStandIn) : Buffer.from(character, "utf8");
}

function standInOf(byte = 0): string {
  return String.fromCharCode(firstStandIn + byte);
}
