import { fstatSync, writeFileSync } from "node:fs";
import { Writable } from "node:stream";
import type { OutputStream } from "./output.ts";

/**
 * Standard output. A file gets each text at once and whole, or the stream fails. That of Node loses without a word what
 * has no more room.
 */
export function standardOutput(): OutputStream {
  const { stdout } = process;
  // In Node 20 the numbers of a pipe stay behind, and imports follow no more links, such as those of pnpm; bigints do not.
  if (!fstatSync(stdout.fd, { bigint: true }).isFile()) return stdout;
  return new Writable({
    write(chunk: Buffer, _, done) {
      try {
        writeFileSync(stdout.fd, chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
