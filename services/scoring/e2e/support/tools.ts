import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The folder with what the service ships for Prometheus. */
export const shipped: string = fileURLToPath(new URL("../../deploy/prometheus/", import.meta.url));

/** Prometheus's programs, both of Debian's package `prometheus`. */
export type Tool = "prometheus" | "promtool";

/** A program that runs. */
export type Running = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a program of Prometheus's. @throws Error that says how to install it */
export async function start(tool: Tool, parameters: readonly string[]): Promise<Running> {
  const child = spawn(tool, parameters);
  try {
    await once(child, "spawn");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw isMissing ? new Error(`${tool} is not installed: apt-get install prometheus`) : error;
  }
  return child;
}

/** Runs promtool to its end, and returns how it ended and all it wrote. */
export async function promtool(parameters: readonly string[], input = ""): Promise<{ code: number; output: string }> {
  const child = await start("promtool", parameters);
  const closed = once(child, "close");
  child.stdin.on("error", () => {}).end(input); // it may end without having read all of it
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, output: `${stdout}${stderr}` };
}
