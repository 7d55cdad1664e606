import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { chmod, lstat, realpath, rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { reasonOf } from "./files.ts";
import type { OutputStream } from "./output.ts";
import { isReaderGone, UnwrittenError } from "./unwritten-error.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Writes a result into a file instead of standard output. Unless the result is whole a regular file stays as it was. Where
 * the file cannot take more, this fails at once, and what `print` still does goes nowhere. Where it is a pipe that nobody
 * reads any more, `print` goes on.
 *
 * @param name what error messages call the file
 * @param isWhole says once `print` has ended whether the result is whole
 * @returns what `print` returns
 * @throws UsageError if the file cannot be opened, before `print` is called
 * @throws UnwrittenError if it cannot be written
 */
export async function writeResultFile<Result>(
  path: string,
  name: string,
  print: (stream: OutputStream) => Promise<Result>,
  isWhole: () => boolean = () => true,
): Promise<Result> {
  const { file, mode, fd } = await replaceable(path);
  const part = file && `${file}.${process.pid}.part`;
  const stream = createWriteStream(part ?? path, fd === undefined ? { mode } : { fd, autoClose: false });
  if (fd === undefined) {
    await once(stream, "open").catch((error) => {
      throw new UsageError(`--output ${name} cannot be written: ${reasonOf(error, reasons)}`);
    });
  }
  const keep = part === undefined ? () => {} : removedAtEnd(part);
  const fail = (error: unknown) => {
    if (!isReaderGone(error)) throw new UnwrittenError(`--output ${name}`, error);
  };
  try {
    if (part && mode !== undefined) await chmod(part, mode); // which the umask may have narrowed
    const written = finished(stream).catch(fail);
    const printed = print(stream);
    await Promise.race([printed, written]);
    stream.end();
    await written;
    if (part) await (isWhole() ? rename(part, file) : rm(part)).catch(fail);
    return await printed;
  } catch (error) {
    stream.destroy();
    if (part) await rm(part, { force: true });
    throw error;
  } finally {
    keep();
  }
}

const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes a file when the process ends before the returned function is called. */
function removedAtEnd(path: string): () => void {
  const remove = () => rmSync(path, { force: true });
  const endBy = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return; // the program goes on to an end of its own
    remove();
    keep();
    process.kill(process.pid, signal);
  };
  const keep = () => {
    process.off("exit", remove);
    for (const signal of endings) process.off(signal, endBy);
  };
  process.on("exit", remove);
  for (const signal of endings) process.on(signal, endBy);
  return keep;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "its directory is not there"],
  ["EISDIR", "it is a directory; name a file in it"],
]);

interface Place {
  readonly file?: string | undefined;
  readonly mode?: number;
  readonly fd?: number;
}

/**
 * The regular file that a result replaces, and the permissions to keep. Of a regular file that the process has open, the
 * descriptor, behind whose position others write too. With neither, the path leads to something that only takes what is
 * written into it, such as a device, a pipe, or a link whose file is not there yet.
 */
async function replaceable(path: string): Promise<Place> {
  const stats = await stat(path)
    .catch(() => lstat(path))
    .catch(() => undefined);
  if (!stats) return { file: path };
  if (!stats.isFile()) return {};
  const [, open] = /^\/(?:dev|dev\/fd|proc\/self\/fd)\/(stdout|stderr|\d+)$/.exec(path) ?? [];
  if (open !== undefined) return { fd: Number({ stdout: 1, stderr: 2 }[open] ?? open) };
  return { file: await realpath(path).catch(() => undefined), mode: stats.mode & 0o777 };
}
