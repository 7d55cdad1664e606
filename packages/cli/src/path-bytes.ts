import { isUtf8 } from "node:buffer";

/** A byte of a name that is no UTF-8 stands in the text as one of these, which no UTF-8 has. */
const firstStandIn = 0xdc00;
const standIn = /[\udc80-\udcff]/u;

/**
 * The text of a name as it stands on disk. The bytes of a name can be any, and each has a text of its own, from which
 * `pathBytes` makes them again: a byte that is no UTF-8 becomes U+DC80 to U+DCFF, as in Python.
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

/** What the system takes for a path of such names. */
export function pathBytes(path: string): string | Buffer {
  if (!standIn.test(path)) return path;
  return Buffer.concat([...path].map(bytesOf));
}

/** The bytes of one character. */
export function bytesOf(character: string): Buffer {
  return standIn.test(character) ? Buffer.of(character.charCodeAt(0) - firstStandIn) : Buffer.from(character, "utf8");
}

function standInOf(byte = 0): string {
  return String.fromCharCode(firstStandIn + byte);
}
