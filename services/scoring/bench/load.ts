import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { isInstalled } from "./processes.ts";

/** What a load did. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends requests of a wrk script for some seconds and counts. Any answer that is no success ends the bench.
 *
 * @param token sent with every request of `score`
 */
export function load(
  url: string,
  script: "score" | "push" | "scores",
  connections: number,
  seconds: number,
  token?: string,
): LoadResult {
  if (!isInstalled("wrk")) throw new Error("the bench needs wrk: apt-get install wrk");
  const output = execFileSync(
    "wrk",
    [
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--timeout",
      "30s",
      "-s",
      join(import.meta.dirname, `${script}.lua`),
      url,
    ],
    { encoding: "utf8", env: { ...process.env, ...(token && { AUTHORIZATION: `Bearer ${token}` }) } },
  );
  const [, perSecond, p50, p99, failed] = /^RESULT (\S+) (\S+) (\S+) (\S+)$/m.exec(output) ?? [];
  if (failed !== "0") throw new Error(`${script} at ${url} failed:\n${output.slice(0, 2_000)}`);
  const requests = Number(/^ *(\d+) requests in /m.exec(output)?.[1]);
  return { requests, perSecond: Number(perSecond), p50: Number(p50), p99: Number(p99) };
}
