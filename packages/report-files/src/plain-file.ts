import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { inBytes, reasonOf } from "@maturity/command-line/files";
import { pathBytes } from "@maturity/command-line/path-bytes";
import { maxReportBytes } from "./report-files.ts";

/** A file of a directory cannot be read. */
export class FileFault extends Error {
  override readonly name = "FileFault";
  /** Whether nothing is lost, because the file has been removed or is no plain file any more. */
  readonly isHarmless: boolean;

  constructor(message: string, isHarmless = false, cause?: unknown) {
    super(message, { cause });
    this.isHarmless = isHarmless;
  }
}

/** An open file. */
export interface PlainFile {
  /** Its size in bytes when it was opened. */
  readonly size: number;
  /** Reads the first bytes, fewer if the file is shorter. */
  beginning(length: number): Promise<Buffer>;
  /** Reads the whole file. @throws FileFault if it is too large, or its size changes meanwhile */
  whole(): Promise<Buffer>;
}

/**
 * A link or a pipe may have taken the place of the file that was listed. So links are not followed, nor pipes waited
 * for.
 */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file of a directory, and closes it when `use` has ended.
 *
 * @throws FileFault if it cannot be opened or read
 */
export async function withPlainFile<Result>(path: string, use: (file: PlainFile) => Promise<Result>): Promise<Result> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(pathBytes(path), flags);
    const stats = await handle.stat();
    if (!stats.isFile()) throw new FileFault("it is no file any more", true);
    return await use(plainFile(handle, stats.size));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const isGone = error.code === "ENOENT" || error.code === "ELOOP";
    throw new FileFault(isGone ? "it is gone" : `it cannot be read: ${reasonOf(error)}`, isGone, error);
  } finally {
    await handle?.close();
  }
}

function plainFile(handle: FileHandle, size: number): PlainFile {
  return {
    size,
    beginning: (length) => readFrom(handle, length),
    async whole() {
      if (size > maxReportBytes) throw new FileFault(`it is larger than ${inBytes(maxReportBytes)}`);
      // One byte more than the size shows whether the file has grown.
      const bytes = await readFrom(handle, size + 1);
      if (bytes.length !== size) throw new FileFault("its size changes: whatever writes it has not finished");
      return bytes;
    },
  };
}

async function readFrom(handle: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
