import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { OutputStream } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** A file in which a result is written instead of standard output. */
export interface ResultFile {
  readonly stream: OutputStream;
  /** Puts the whole result in place. Until then the file is as it was. */
  finish(): Promise<void>;
}

/** @throws UsageError if the file cannot be written */
export async function openResultFile(path: string): Promise<ResultFile> {
  const part = `${path}.${process.pid}.part`;
  const stream = createWriteStream(part);
  const refuse = (error: unknown) => {
    throw new UsageError(`--output: ${error instanceof Error ? error.message : error}`);
  };
  await once(stream, "open").catch(refuse);
  return {
    stream,
    async finish() {
      stream.end();
      await once(stream, "close");
      await rename(part, path).catch(async (error) => {
        await rm(part, { force: true });
        refuse(error);
      });
    },
  };
}
