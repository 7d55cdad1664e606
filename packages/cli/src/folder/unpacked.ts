import { constants, createGunzip } from "node:zlib";

/** The beginning of what a gzip file holds, of its own beginning; of any other file the bytes as they are. */
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
      if (size >= length) break; // however much it would unpack to
    }
  } catch {
    // A damaged file tells what it can.
  }
  return Buffer.concat(chunks).subarray(0, length);
}

/** Whether bytes begin as a gzip file does, RFC 1952, 2.3.1. */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}
