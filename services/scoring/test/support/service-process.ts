import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFailed, onTestFinished } from "vitest";
import { compileCache } from "./compile-cache.ts";
import type { LogLine } from "./log.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The service in a process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  /** Everything written to standard error so far. */
  stderr(): string;
  /** The log, from standard output. */
  log(): LogLine[];
  /** Waits for a log line whose text holds this. Fails when the process ends without it. */
  logged(text: string): Promise<LogLine>;
  /** Waits until it listens, and returns where. */
  address(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<Exit>;
}

/**
 * Starts `main.ts` in an empty directory and with this environment only, for one test.
 *
 * @param through a command that runs another one, which is added to its arguments
 */
export async function useServiceProcess(
  environment: Readonly<Record<string, string>>,
  directory?: string,
  through: readonly string[] = [],
): Promise<ServiceProcess> {
  const [program = "", ...args] = [...through, process.execPath, "--conditions=@maturity/source", main];
  const child = spawn(program, args, {
    cwd: directory ?? (await useDirectory()),
    env: { ...compileCache, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let ended = false;
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    changed();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
    changed();
  });
  const exit = once(child, "close").then(([code, signal]): Exit => {
    ended = true;
    changed();
    return { code, signal };
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  const log = () => {
    const lines = stdout.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LogLine);
  };

  onTestFailed(() => {
    const warnings = stdout.split("\n").filter((line) => /"level":[4-6]0/.test(line));
    process.stdout.write(
      `process ${child.pid} wrote last:\n${warnings.slice(-20).join("\n")}\n${stderr.slice(-2_000)}\n`,
    );
  });

  /** Looks again whenever something was written. */
  async function whenWritten<T>(look: () => T | undefined, what: string): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (ended) throw new Error(`the process ended without ${what}:\n${stdout}${stderr}`);
      await change.promise;
    }
  }

  return {
    pid: child.pid as number,
    stderr: () => stderr,
    log,
    logged: (text) => whenWritten(() => log().find(({ msg }) => msg?.includes(text)), `logging "${text}"`),
    address: () => whenWritten(() => /listens on (\S+)\.\s/.exec(stderr)?.[1], "listening"),
    kill: (signal) => void child.kill(signal),
    exit,
  };
}

/** An empty directory for one test. */
export async function useDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "maturity-test-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
