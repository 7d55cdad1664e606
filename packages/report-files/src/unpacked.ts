import { constants, createGunzip } from "node:zlib";

/**
 * Unpacks the beginning of a gzip file. Bytes of any other file are returned as they are.
 *
 * @param bytes the beginning of the file
 * @param length the most bytes to unpack
 */
export async function unpackedBeginning(bytes: Buffer, length: number): Promise<Buffer> {
  if (!isGzip(bytes)) return bytes;
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  gunzip.end(bytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of gunzip) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= length) break; // a small file may unpack to gigabytes
    }
  } catch {
    // What could be unpacked before the damage is enough.
  }
  return Buffer.concat(chunks).subarray(0, length);
}

/** Whether bytes begin like a gzip file (RFC 1952, section 2.3.1). */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}
