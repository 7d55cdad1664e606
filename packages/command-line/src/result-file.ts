import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, lstat, realpath, rename, rm, stat } from "node:fs/promises";
import { reasonOf } from "./files.ts";
import type { OutputStream } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** A file in which a result is written instead of standard output. */
export interface ResultFile {
  readonly stream: OutputStream;
  /** Puts the whole result in place. Until then a regular file is as it was. */
  finish(): Promise<void>;
}

/**
 * @param name what error messages call the file
 * @throws UsageError if the file cannot be written
 */
export async function openResultFile(path: string, name: string): Promise<ResultFile> {
  const { file, mode } = await replaceable(path);
  const part = file && `${file}.${process.pid}.part`;
  const stream = createWriteStream(part ?? path, { mode });
  const refuse = (error: unknown) => {
    throw new UsageError(`--output ${name} cannot be written: ${reasonOf(error, reasons)}`);
  };
  await once(stream, "open").catch(refuse);
  if (part && mode !== undefined) await chmod(part, mode); // which the umask may have narrowed
  return {
    stream,
    async finish() {
      stream.end();
      await once(stream, "close");
      if (!part) return;
      await rename(part, file).catch(async (error) => {
        await rm(part, { force: true });
        refuse(error);
      });
    },
  };
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "its directory is not there"],
  ["EISDIR", "it is a directory; name a file in it"],
]);

/**
 * The regular file that a result replaces, and the permissions to keep. Without `file` the path leads to something that
 * only takes what is written into it, such as a device, a pipe, or a link whose file is not there yet.
 */
async function replaceable(path: string): Promise<{ readonly file?: string | undefined; readonly mode?: number }> {
  const stats = await stat(path)
    .catch(() => lstat(path))
    .catch(() => undefined);
  if (!stats) return { file: path };
  return stats.isFile() ? { file: await realpath(path).catch(() => undefined), mode: stats.mode & 0o777 } : {};
}
