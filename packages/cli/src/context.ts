import type { Readable } from "node:stream";
import type { OutputStream } from "@maturity/command-line/output";

/** Everything that a command takes from outside. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory in which relative paths begin, and from which `maturity.yaml` is looked for upwards. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
