import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { compileCache } from "./compile-cache.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Starts a command of the service, such as `alerts list`, with this environment only. */
export function startCommand(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ["--conditions=@maturity/source", main, ...args], {
    env: { ...compileCache, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a command left. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the service to its end. */
export async function runCommand(...args: Parameters<typeof startCommand>): Promise<CommandResult> {
  const child = startCommand(...args);
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (text) => {
      written[stream] += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, ...written };
}
