import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { getSystemErrorMap } from "node:util";
import { UsageError } from "./usage-error.ts";

/**
 * Reads a file. Reading stops beyond `maxBytes`, because the path may be a device, which has no end.
 *
 * @param name what error messages call the file
 * @throws UsageError if the file cannot be read or is too large. `isMissing` is true of the error if it was not there.
 */
export async function readBytes(path: string, name: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path, { end: maxBytes })) {
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    const reason = isMissing({ cause: error }) && path.includes("\ufffd") ? lostName : reasonOf(error);
    throw new UsageError(`${name} cannot be read: ${reason}`, { cause: error });
  }
  if (size > maxBytes) throw new UsageError(`${name} is larger than ${inBytes(maxBytes)}`);
  return Buffer.concat(chunks);
}

/**
 * The reason why a path with U+FFFD is not found. Node puts this character in place of each byte of an argument that is
 * no UTF-8.
 */
const lostName = "its name is not UTF-8, which no argument can hold; rename it, or name its directory";

/** Reads a file as UTF-8, otherwise like `readBytes`. */
export async function readText(path: string, name: string, maxBytes: number): Promise<string> {
  return (await readBytes(path, name, maxBytes)).toString("utf8");
}

/** Whether an error of `readBytes` means that there is no such file. */
export function isMissing(error: unknown): boolean {
  const { code } = Object(Object(error).cause) as { code?: unknown };
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The reason of a system error: in these words if there are any for its code, else in those of the system. */
export function reasonOf(error: unknown, words: ReadonlyMap<string, string> = reasons): string {
  const { code, errno } = Object(error) as NodeJS.ErrnoException;
  return words.get(code ?? "") ?? getSystemErrorMap().get(errno ?? 0)?.[1] ?? code ?? String(error);
}

/** For a file that is read. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a directory, not a file; a pattern such as reports/*.xml names several"],
]);

/** Formats a limit as a whole number, rounded down, such as `64 KiB`. */
export function inBytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${bytes >> 20} MiB` : `${bytes >> 10} KiB`;
}

export async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
