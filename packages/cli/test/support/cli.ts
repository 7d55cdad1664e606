import { tmpdir } from "node:os";
import { Readable, Writable } from "node:stream";
import type { Context } from "../../src/context.ts";
import { run } from "../../src/run.ts";

/** Whose results the tests send, as in a pipeline's environment. */
export const target = {
  MATURITY_AREA: "shop",
  MATURITY_TEAM: "checkout",
  MATURITY_APP: "cart",
  MATURITY_ENV: "prod",
} as const;

/** What came of a command line. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Context["env"];
  readonly cwd?: string;
  /** What comes in; a list is what a person types, line by line, on a terminal. */
  readonly stdin?: string | Buffer | readonly string[];
  readonly isTTY?: boolean;
  /** Of the terminal. */
  readonly columns?: number;
  readonly fetch?: Context["fetch"];
  readonly now?: Context["now"];
}

/** Runs a command line in this process, with this environment only. */
export async function maturity(argv: readonly string[], options: CliOptions = {}): Promise<Result> {
  const { env = {}, cwd = tmpdir(), stdin = "", isTTY = false, fetch = globalThis.fetch, now = Date.now } = options;
  const [stdout, stderr] = [capture(isTTY, options.columns), capture(isTTY, options.columns)];
  const input = Object.assign(Readable.from([stdin].flat().map((part) => Buffer.from(part))), { isTTY });
  const code = await run(argv, { env, cwd, stdin: input, stdout, stderr, fetch, now });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(isTTY: boolean, columns = 80): Writable & { readonly isTTY: boolean; text(): string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { isTTY, columns, text: () => chunks.join("") });
}
