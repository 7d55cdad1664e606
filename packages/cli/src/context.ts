import type { Readable, Writable } from "node:stream";

/** A stream for people or machines. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Everything a command takes from outside. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where files are looked for, and `maturity.yaml` from here upward. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
